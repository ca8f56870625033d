import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { previewUrl, tileUrl } from '../../main/contract/preview.ts';
import { commandOf } from '../commands/bindable.ts';
import { useCommands } from '../commands/registry.ts';
import { useWords } from '../i18n/index.ts';
import { fileName } from '../ui/path.ts';
import { fitted, type Place, type PlacedTile, panned, type Size, tilesInSight, zoomedAt } from './zoom.ts';

const step = 1.25;
const panStep = 80;
const previewSide = 2048;

export type CanvasPhoto = Readonly<{ photoId: string; path: string; width: number; height: number }>;
type Props = Readonly<{
  item: CanvasPhoto;
  /** Drawn beneath, fitted, so that they are there at once when one of them becomes `item`; it may be among them. */
  ahead?: readonly CanvasPhoto[];
}>;
const nothingAhead: readonly CanvasPhoto[] = [];
const noTiles: readonly PlacedTile[] = [];

/** One photo: fit, 100 %, wheel and pinch at the pointer, drag and Shift+arrows to pan. */
export const PhotoCanvas = memo(({ item, ahead = nothingAhead }: Props) => {
  const { t, format } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<Size | null>(null);
  /** Where one photo lies that was zoomed; any other is fitted. */
  const [held, setHeld] = useState<Readonly<{ photoId: string; place: Place }> | null>(null);
  const [dragging, setDragging] = useState(false);
  const [lost, setLost] = useState<ReadonlySet<string>>(new Set());
  const photo: Size = item;
  const free = held?.photoId === item.photoId ? held.place : null;
  const setFree = (next: Place | null) => setHeld(next && { photoId: item.photoId, place: next });

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setCanvas({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  const place = canvas && (free ?? fitted(photo, canvas));
  const centre = canvas ? ([canvas.width / 2, canvas.height / 2] as const) : ([0, 0] as const);
  const zoomTo = (scale: number, x: number, y: number) => {
    if (!canvas || !place) return;
    const next = zoomedAt(place, scale, x, y, photo, canvas);
    setFree(Math.abs(next.scale / fitted(photo, canvas).scale - 1) < 0.001 ? null : next);
  };
  const pan = (dx: number, dy: number) => {
    if (canvas && free) setFree(panned(free, dx, dy, photo, canvas));
  };

  const wheel = useRef<(event: WheelEvent) => void>(() => {});
  wheel.current = (event) => {
    event.preventDefault();
    const bounds = box.current!.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
    if (place) zoomTo(place.scale * factor, event.clientX - bounds.left, event.clientY - bounds.top);
  };
  useEffect(() => {
    const element = box.current!;
    const onWheel = (event: WheelEvent) => wheel.current(event);
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const scaled = (factor: number) => () => place && zoomTo(place.scale * factor, ...centre);
  const zoomed = free !== null;
  useCommands('photo canvas', [
    commandOf('zoom toggle', () => (free ? setFree(null) : zoomTo(1, ...centre))),
    commandOf('zoom in', scaled(step)),
    commandOf('zoom out', scaled(1 / step)),
    commandOf('pan left', () => pan(panStep, 0), zoomed),
    commandOf('pan right', () => pan(-panStep, 0), zoomed),
    commandOf('pan up', () => pan(0, panStep), zoomed),
    commandOf('pan down', () => pan(0, -panStep), zoomed),
  ]);

  const isTop = ({ photoId }: CanvasPhoto) => photoId === item.photoId;
  const drawn = ahead.some(isTop) ? ahead : [item, ...ahead];
  const tiles = canvas && place ? tilesInSight(place, photo, canvas, window.devicePixelRatio) : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing is a second way; Z, + and - are the first
    <div
      ref={box}
      data-testid="canvas"
      className={`canvas on-photo${free ? ' zoomed' : ''}${dragging ? ' dragging' : ''}`}
      onDoubleClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        if (free) setFree(null);
        else zoomTo(1, event.clientX - bounds.left, event.clientY - bounds.top);
      }}
      onPointerDown={(event) => {
        if (!free || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
      }}
      onPointerMove={(event) => dragging && pan(event.movementX, event.movementY)}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    >
      {ahead.length > 0 && <div className="ground" />}
      {canvas &&
        place &&
        drawn
          .filter((one) => isTop(one) || !lost.has(one.photoId))
          .map((one) =>
            lost.has(one.photoId) ? (
              <div key={one.photoId} className="lost">
                {t('photo.lost')}
              </div>
            ) : (
              <Picture
                key={one.photoId}
                photo={one}
                place={isTop(one) ? place : fitted(one, canvas)}
                beneath={!isTop(one)}
                tiles={isTop(one) ? tiles : noTiles}
                onLost={() => setLost((before) => new Set(before).add(one.photoId))}
              />
            ),
          )}
      {free && place && <span className="zoom num">{t('photo.zoom', { percent: format.percent(place.scale) })}</span>}
    </div>
  );
});

type PictureProps = Readonly<{
  photo: CanvasPhoto;
  place: Place;
  beneath: boolean;
  /** Drawn over the preview, which shows until they are there. */
  tiles: readonly PlacedTile[];
  onLost: () => void;
}>;

/** Each keeps its element while it is beneath and when it comes to the top: what is decoded stays decoded. */
const Picture = ({ photo, place, beneath, tiles, onLost }: PictureProps) => (
  <div
    data-testid={beneath ? undefined : 'picture'}
    className={beneath ? 'picture beneath' : 'picture'}
    aria-hidden={beneath}
    style={{
      // Whole pixels: its edges need no blending with what lies beneath, and a step copies it as it is.
      width: Math.max(1, Math.round(photo.width * place.scale)),
      height: Math.max(1, Math.round(photo.height * place.scale)),
      transform: `translate(${place.x}px, ${place.y}px)`,
    }}
  >
    <img src={previewUrl(photo.photoId, 256)} alt="" draggable={false} />
    <img
      src={previewUrl(photo.photoId, previewSide)}
      decoding={beneath ? 'async' : 'sync'}
      alt={beneath ? '' : fileName(photo.path)}
      draggable={false}
      onError={onLost}
    />
    {tiles.map(({ tile, ...box }) => {
      const url = tileUrl(photo.photoId, tile);
      return <img key={url} src={url} alt="" className="tile" data-testid="tile" style={box} draggable={false} />;
    })}
  </div>
);

import { ListBox, ListBoxItem } from 'react-aria-components';
import { rawFormats } from '../../main/contract/photo.ts';
import type { PairDetail, PhotoDetail } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { usePhoto } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Trail } from '../review/trail.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { fileName } from '../ui/path.ts';
import { Callout, Failure } from '../ui/states.tsx';
import { Path, When } from '../ui/text.tsx';
import { useUi } from '../ui-state.ts';
import { VerdictPanel } from './verdict-panel.tsx';

/** What was judged on one photo, and what is known of it. */
export const PhotoInspector = ({ photoId }: Readonly<{ photoId: string | null }>) => {
  const { t } = useWords();
  const photo = usePhoto(photoId);
  if (photoId === null) return <p className="muted">{t('photo.none')}</p>;
  if (photo.isError) return <Failure failure={photo.error} retry={() => void photo.refetch()} />;
  if (!photo.data) return null;
  return <PhotoDetails photo={photo.data} />;
};

const PhotoDetails = ({ photo }: Readonly<{ photo: PhotoDetail }>) => {
  const { t } = useWords();
  const statementId = useUi((state) => state.statementId);
  const pairs = photo.pairs;
  const at = Math.max(
    0,
    pairs.findIndex((pair) => pair.statementId === statementId),
  );
  const pair = pairs[at];
  const choose = (index: number) => {
    const next = pairs[(index + pairs.length) % pairs.length];
    if (next) useUi.setState({ statementId: next.statementId });
  };
  useCommands(
    'inspector',
    pairs.length > 1
      ? [
          {
            id: 'next statement',
            text: 'command.nextStatement',
            group: 'photo',
            keys: ['j'],
            run: () => choose(at + 1),
          },
          {
            id: 'previous statement',
            text: 'command.previousStatement',
            group: 'photo',
            keys: ['k'],
            run: () => choose(at - 1),
          },
        ]
      : [],
  );
  return (
    <>
      {photo.damaged && <Callout>{t('photo.damaged')}</Callout>}
      {photo.prescreen?.blurred && <Callout tone="info">{t('photo.blurred')}</Callout>}
      {photo.prescreen?.small && <Callout tone="info">{t('photo.small')}</Callout>}
      {pair ? <VerdictPanel key={pair.statementId} pair={pair} /> : <p className="muted">{t('photo.noVerdict')}</p>}
      {pairs.length > 1 && (
        <section>
          <h2>{t('photo.statements')}</h2>
          <PairList pairs={pairs} selected={pair!.statementId} />
        </section>
      )}
      <Trail photoId={photo.photoId} />
      <Facts photo={photo} />
    </>
  );
};

const PairList = ({ pairs, selected }: Readonly<{ pairs: readonly PairDetail[]; selected: string }>) => {
  const { t, format } = useWords();
  return (
    <ListBox
      className="pairs"
      aria-label={t('photo.statements')}
      items={pairs}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const [id] = keys === 'all' ? [] : [...keys];
        if (id !== undefined) useUi.setState({ statementId: String(id) });
      }}
    >
      {(pair) => (
        <ListBoxItem id={pair.statementId} className="item" textValue={pair.statement}>
          <VerdictChip compact label={pair.effectiveLabel} grade={pair.current.grade} />
          <span className="clip" title={pair.statement}>
            {pair.statement}
          </span>
          {pair.current.confidence !== null && <span className="num">{format.score(pair.current.confidence)}</span>}
        </ListBoxItem>
      )}
    </ListBox>
  );
};

/** By where they are kept: in a sidecar beside the photo, or in Vouch only. */
const Tags = ({ tags }: Pick<PhotoDetail, 'tags'>) => {
  const { t } = useWords();
  return (
    <ul className="tags">
      {[...Map.groupBy(tags, ({ sidecar }) => sidecar)].map(([sidecar, kept]) => (
        <li key={sidecar}>
          {[...new Set(kept.map(({ tag }) => tag))].join(', ')}
          <small title={sidecar ?? undefined}>
            {sidecar === null ? t('photo.tagsInVouch') : t('photo.tagsIn', { name: fileName(sidecar) })}
          </small>
        </li>
      ))}
    </ul>
  );
};

/** `blind`: without the tags, which tell the answer. */
export const Facts = ({ photo, blind = false }: Readonly<{ photo: PhotoDetail; blind?: boolean }>) => {
  const { t, format, deviceName } = useWords();
  const judged = photo.pairs[0]?.current;
  return (
    <section>
      <h2>{t('photo.file')}</h2>
      <dl className="pairs-of">
        {photo.paths.map(({ path, present }, index) => (
          <div key={path} style={{ display: 'contents' }}>
            <dt>{index === 0 ? t('photo.path') : ''}</dt>
            <dd>
              <Path path={path} length={64} />
              {!present && <span className="warn"> {t('photo.absent')}</span>}
            </dd>
          </div>
        ))}
        <dt>{t('photo.taken')}</dt>
        <dd title={photo.takenAt ?? undefined}>
          {photo.takenAt ? format.taken(photo.takenAt) : <span className="muted">{t('photo.unknown')}</span>}
        </dd>
        {photo.camera && (
          <>
            <dt>{t('photo.camera')}</dt>
            <dd>{photo.camera}</dd>
          </>
        )}
        <dt>{t('photo.location')}</dt>
        <dd>{photo.hasGps ? t('photo.hasPlace') : <span className="muted">{t('photo.unknown')}</span>}</dd>
        <dt>{t('photo.size')}</dt>
        <dd className="num">
          {t('photo.dimensions', {
            width: photo.width,
            height: photo.height,
            bytes: format.bytes(photo.bytes),
            format: photo.format.toUpperCase(),
          })}
        </dd>
        {!blind && photo.tags.length > 0 && (
          <>
            <dt>{t('photo.tags')}</dt>
            <dd>
              <Tags tags={photo.tags} />
            </dd>
          </>
        )}
        {rawFormats.has(photo.format) && (
          <>
            <dt>{t('photo.raw')}</dt>
            <dd>{t('photo.rawPreview')}</dd>
          </>
        )}
        {photo.frames > 1 && (
          <>
            <dt>{t('photo.frames')}</dt>
            <dd>{t('photo.firstFrame', { count: photo.frames })}</dd>
          </>
        )}
        {photo.prescreen && (
          <>
            <dt>{t('photo.sharpness')}</dt>
            <dd className="num">{format.integer(photo.prescreen.sharpness)}</dd>
          </>
        )}
        {judged && (
          <>
            <dt>{t('photo.judged')}</dt>
            <dd>
              <When at={judged.at} />, {judged.model.id}, {judged.precision}, {deviceName(judged.device)}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
};

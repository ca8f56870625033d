import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { fileName } from '../ui/path.ts';
import { Gap, Screen } from '../ui/screen.tsx';
import { EmptyState, Failure } from '../ui/states.tsx';
import { useUi } from '../ui-state.ts';
import { SpotCheckTabs } from './review-bar.tsx';
import { chooseImage, discard, keep, setText, useSpotCheck } from './spot-check.ts';
import { SpotCheckAnswer } from './spot-check-answer.tsx';

const accepted = 'image/*,.heic,.heif,.avif,.tif,.tiff,.bmp';

/** Any image at all against any statement; nothing is stored unless it is kept. */
export const TryView = () => {
  const { t } = useWords();
  const { file, text, answer, failure, busy } = useSpotCheck();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    useUi.setState({ takesDrop: chooseImage });
    return () => useUi.setState({ takesDrop: null });
  }, []);
  const pick = () => input.current?.click();
  return (
    <Screen
      title={t('queue.flagged')}
      bar={
        <>
          <SpotCheckTabs />
          <Gap />
          {file && (
            <Button icon={ImagePlus} onPress={pick}>
              {t('try.another')}
            </Button>
          )}
        </>
      }
      inspector={
        <aside className="inspector decide" aria-label={t('try.verdict')}>
          <label className="field">
            <span className="heading-s">{t('statements.statement')}</span>
            <textarea
              className="input"
              rows={3}
              maxLength={2000}
              value={text}
              placeholder={t('statements.placeholder')}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </label>
          {failure && <Failure failure={failure} />}
          {answer ? (
            <>
              <SpotCheckAnswer answer={answer} stale={busy} />
              <div className="actions">
                <Button kind="primary" isDisabled={busy} onPress={() => void keep()}>
                  {t('try.keep')}
                </Button>
                <Button onPress={discard}>{t('try.discard')}</Button>
              </div>
              <p className="muted small">{t('try.keepNote')}</p>
            </>
          ) : (
            !failure && <p className="muted">{t(busy ? 'try.judging' : file ? 'try.typeHint' : 'try.pickHint')}</p>
          )}
        </aside>
      }
    >
      <section className="try-stage" aria-label={t('photo.stage')}>
        <input
          ref={input}
          type="file"
          accept={accepted}
          hidden
          aria-label={t('try.pick')}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen) chooseImage(chosen);
            event.currentTarget.value = '';
          }}
        />
        {file ? (
          <Shown file={file} />
        ) : (
          <EmptyState
            title={t('try.title')}
            action={
              <Button kind="primary" icon={ImagePlus} onPress={pick}>
                {t('try.pick')}
              </Button>
            }
          >
            {t('try.hint')}
          </EmptyState>
        )}
      </section>
    </Screen>
  );
};

const shownSide = 2048;

/** The image as the browser decodes it; what it cannot decode is judged all the same. */
const Shown = ({ file }: Readonly<{ file: File }>) => {
  const { t } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<'waiting' | 'drawn' | 'not'>('waiting');
  useEffect(() => {
    let over = false;
    setDrawn('waiting');
    createImageBitmap(file).then(
      (bitmap) => {
        const element = canvas.current;
        if (over || !element) return bitmap.close();
        const scale = Math.min(1, shownSide / Math.max(bitmap.width, bitmap.height));
        element.width = Math.max(1, Math.round(bitmap.width * scale));
        element.height = Math.max(1, Math.round(bitmap.height * scale));
        element.getContext('2d')?.drawImage(bitmap, 0, 0, element.width, element.height);
        bitmap.close();
        setDrawn('drawn');
      },
      () => !over && setDrawn('not'),
    );
    return () => {
      over = true;
    };
  }, [file]);
  return (
    <>
      <canvas ref={canvas} hidden={drawn !== 'drawn'} role="img" aria-label={file.name} />
      {drawn === 'not' && <p className="muted">{t('try.notShown', { name: fileName(file.name) })}</p>}
    </>
  );
};

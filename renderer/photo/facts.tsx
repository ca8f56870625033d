import { rawFormats } from '../../main/contract/photo.ts';
import type { PhotoDetail } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { fileName } from '../ui/path.ts';
import { Path, When } from '../ui/text.tsx';

/** The tags by where they are kept: in a sidecar beside the photo, or in Vouch only. */
const Tags = ({ tags }: Pick<PhotoDetail, 'tags'>) => {
  const { t } = useWords();
  return (
    <ul className="tags" data-testid="tags">
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
    <section data-testid="facts">
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

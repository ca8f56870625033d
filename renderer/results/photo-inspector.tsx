import { ListBox, ListBoxItem } from 'react-aria-components';
import type { PairDetail, PhotoDetail } from '../../main/contract/views.ts';
import { useCommands } from '../commands/registry.ts';
import { usePhoto } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Facts } from '../photo/facts.tsx';
import { Trail } from '../photo/trail.tsx';
import { VerdictChip } from '../ui/chip.tsx';
import { Callout, Failure } from '../ui/states.tsx';
import { useResultsView } from './state.ts';
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
  const statementId = useResultsView((state) => state.statementId);
  const pairs = photo.pairs;
  const at = Math.max(
    0,
    pairs.findIndex((pair) => pair.statementId === statementId),
  );
  const pair = pairs[at];
  const choose = (index: number) => {
    const next = pairs[(index + pairs.length) % pairs.length];
    if (next) useResultsView.setState({ statementId: next.statementId });
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
        if (id !== undefined) useResultsView.setState({ statementId: String(id) });
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

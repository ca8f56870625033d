import { FileDown, FolderOpen, RotateCw } from 'lucide-react';
import { exportQuarantine, retryQuarantined, reveal } from '../data/actions.ts';
import { useQuarantine } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { fileName } from '../ui/path.ts';
import { Failure } from '../ui/states.tsx';
import { Path, When } from '../ui/text.tsx';

/** Files that could not be judged, each with its reason. */
export const QuarantineList = ({ busy }: Readonly<{ busy: boolean }>) => {
  const { t, quarantineText } = useWords();
  const list = useQuarantine(null);
  if (list.isError) return <Failure failure={list.error} retry={() => void list.refetch()} />;
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const total = list.data?.pages.at(-1)?.total ?? 0;
  if (total === 0) return null;
  return (
    <section>
      <h2>
        <span className="grow">{t('quarantine.title', { count: total })}</span>
        <Button icon={RotateCw} isDisabled={busy} onPress={() => void retryQuarantined([])}>
          {t('quarantine.retryAll')}
        </Button>
        <Button icon={FileDown} onPress={() => void exportQuarantine()}>
          {t('quarantine.export')}
        </Button>
      </h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('quarantine.file')}</th>
            <th scope="col">{t('quarantine.reason')}</th>
            <th scope="col" className="figure">
              {t('quarantine.attempts')}
            </th>
            <th scope="col">{t('quarantine.when')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>
                <Path path={item.path} length={44} />
              </td>
              <td className="reason-text selectable">{quarantineText(item.reason)}</td>
              <td className="figure">{item.attempts}</td>
              <td className="num">
                <When at={item.at} />
              </td>
              <td className="tight">
                <span className="row-actions">
                  <IconButton
                    label={t('quarantine.retry', { name: fileName(item.path) })}
                    icon={RotateCw}
                    isDisabled={busy}
                    onPress={() => void retryQuarantined([item.id])}
                  />
                  <IconButton
                    label={t('quarantine.reveal', { name: fileName(item.path) })}
                    icon={FolderOpen}
                    onPress={() => void reveal('quarantined', item.id)}
                  />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.hasNextPage && (
        <Button kind="quiet" isDisabled={list.isFetching} onPress={() => void list.fetchNextPage()}>
          {t('action.showMore')}
        </Button>
      )}
    </section>
  );
};

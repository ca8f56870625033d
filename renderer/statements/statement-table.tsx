import { Archive, ArchiveRestore, LayoutGrid } from 'lucide-react';
import { Button as Bare } from 'react-aria-components';
import { labels } from '../../main/contract/labels.ts';
import type { StatementView } from '../../main/contract/views.ts';
import { useWords } from '../i18n/index.ts';
import { IconButton } from '../ui/button.tsx';
import { useUi } from '../ui-state.ts';
import { archiveStatement, bringBack } from './actions.ts';

type Props = Readonly<{
  statements: readonly StatementView[];
  current: string | null;
  onChoose: (statementId: string) => void;
}>;

export const StatementTable = ({ statements, current, onChoose }: Props) => {
  const { t, format } = useWords();
  const showResults = useUi((state) => state.showResults);
  const sentAs = ({ tokens, removed, cut }: NonNullable<StatementView['normalised']>) => [
    t('preview.tokensOnly', { count: tokens }),
    ...(removed.length > 0 ? [t('statements.removedCount', { count: removed.length })] : []),
    ...(cut.length > 0 ? [t('statements.cutShort')] : []),
  ];
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('statements.statement')}</th>
          <th scope="col">{t('statements.tag')}</th>
          <th scope="col" className="figure">
            {t('statements.thresholds')}
          </th>
          {labels.map((label) => (
            <th key={label} scope="col" className="figure">
              {t(`label.${label}`)}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {statements.map((statement) => {
          const archived = statement.archivedAt !== null;
          const { normalised } = statement;
          return (
            <tr
              key={statement.id}
              className={`statement-row${statement.id === current ? ' current' : ''}${archived ? ' archived' : ''}`}
            >
              <td>
                <Bare
                  className="text"
                  isDisabled={archived}
                  aria-pressed={statement.id === current}
                  onPress={() => onChoose(statement.id)}
                >
                  {statement.text}
                  <small>
                    {[
                      ...(normalised ? sentAs(normalised) : [t('preview.nothingLeft')]),
                      ...(statement.flag ? [t(`statements.flagged.${statement.flag}`)] : []),
                    ].join(' · ')}
                  </small>
                </Bare>
              </td>
              <td>{statement.tag && <span className="tag">{statement.tag}</span>}</td>
              <td className="figure muted">
                {statement.yes === null && statement.no === null
                  ? t('statements.packDefault')
                  : t('statements.thresholdPair', {
                      yes: statement.yes === null ? '–' : format.score(statement.yes),
                      no: statement.no === null ? '–' : format.score(statement.no),
                    })}
              </td>
              {labels.map((label) => (
                <td key={label} className="figure">
                  {format.integer(statement.counts[label])}
                </td>
              ))}
              <td className="tight">
                <span className="row-actions">
                  {archived ? (
                    <IconButton
                      label={t('statements.bringBack', { name: statement.text })}
                      icon={ArchiveRestore}
                      onPress={() => void bringBack('statement', statement.id)}
                    />
                  ) : (
                    <>
                      <IconButton
                        label={t('statements.showResults', { name: statement.text })}
                        icon={LayoutGrid}
                        onPress={() => showResults({ filter: { statementIds: [statement.id] } })}
                      />
                      <IconButton
                        label={t('statements.archive', { name: statement.text })}
                        icon={Archive}
                        onPress={() => void archiveStatement(statement)}
                      />
                    </>
                  )}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

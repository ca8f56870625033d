import type { ReactNode } from 'react';
import type { BenchRecord } from '../../main/contract/bench.ts';
import type { BenchDocument } from '../../main/contract/cli.ts';
import { attempt, configureEngine } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { client, keys } from '../data/client.ts';
import { useBench, useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Failure, Progress } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';
import { useMeasuring } from './measuring.ts';
import { SizeChart } from './size-chart.tsx';

const measure = () =>
  attempt(async () => {
    const requestId = crypto.randomUUID();
    useMeasuring.setState({ requestId, done: 0, total: 0 });
    try {
      await answerOf(vouch.engine.measure(undefined, { requestId }));
      await client.invalidateQueries({ queryKey: keys.bench });
    } finally {
      useMeasuring.setState({ requestId: null });
    }
  });

/** The button of the screen's bar starts the benchmark; while one runs, the bar shows how far it is and can end it. */
export const MeasureButton = () => {
  const { t, format } = useWords();
  const { requestId, done, total } = useMeasuring();
  if (requestId === null) return <Button onPress={() => void measure()}>{t('bench.run')}</Button>;
  return (
    <>
      <span className="muted num">{t('bench.step', { done: format.integer(done), total: format.integer(total) })}</span>
      <div className="measuring">
        <Progress label={t('bench.progress')} share={total > 0 ? done / total : null} />
      </div>
      <Button onPress={() => vouch.cancel(requestId)}>{t('action.cancel')}</Button>
    </>
  );
};

export const Bench = () => {
  const { t } = useWords();
  const bench = useBench();
  const measuring = useMeasuring((state) => state.requestId !== null);
  if (bench.isError)
    return (
      <div className="padded">
        <Failure failure={bench.error} retry={() => void bench.refetch()} />
      </div>
    );
  if (bench.data) return <Tables record={bench.data} />;
  return bench.isPending ? null : (
    <EmptyState title={t('bench.none')} action={!measuring && <MeasureButton />}>
      {t('bench.noneHint')}
    </EmptyState>
  );
};

type Row = Omit<BenchDocument['batches'][number], 'size'> & Readonly<{ name: number }>;

const Tables = ({ record }: Readonly<{ record: BenchRecord }>) => {
  const { t, deviceName } = useWords();
  const { tables, packId, precision, device, at } = record;
  return (
    <div className="bench">
      <p className="muted">
        {t('bench.of', { pack: packId, precision, device: deviceName(device) })} <When at={at} />
      </p>
      <SizeChart rows={tables.batches} />
      <section>
        <h2 className="heading-s">{t('bench.batches')}</h2>
        <Figures
          first={t('bench.batch')}
          rows={tables.batches.map((row) => ({ ...row, name: row.size }))}
          last={(row) => <UseSize size={row.name} knee={row.name === tables.knee} />}
        />
        {tables.knee === null && <p className="muted">{t('bench.noKnee')}</p>}
      </section>
      <section>
        <h2 className="heading-s">{t('bench.clients')}</h2>
        <Figures first={t('bench.atOnce')} rows={tables.concurrency.map((row) => ({ ...row, name: row.clients }))} />
      </section>
    </div>
  );
};

/** Takes a measured size into use, or says that it is. */
const UseSize = ({ size, knee }: Readonly<{ size: number; knee: boolean }>) => {
  const { t, format } = useWords();
  const inUse = useSettings().engine.batch === size;
  return (
    <span className="use">
      {knee && <span className="muted">{t('bench.knee')}</span>}
      {inUse ? (
        <span>{t('bench.inUse')}</span>
      ) : (
        <Button
          kind="quiet"
          aria-label={t('bench.useOf', { size: format.integer(size) })}
          onPress={() => void configureEngine({ batch: size })}
        >
          {t('bench.use')}
        </Button>
      )}
    </span>
  );
};

type FiguresProps = Readonly<{ first: string; rows: readonly Row[]; last?: (row: Row) => ReactNode }>;

const Figures = ({ first, rows, last }: FiguresProps) => {
  const { t, format } = useWords();
  /** Percentiles are named alike in every language. */
  const columns = [
    ['meanMs', t('bench.meanMs')],
    ['p50', 'p50'],
    ['p95', 'p95'],
    ['p99', 'p99'],
    ['perSecond', t('bench.perSecond')],
    ['rssMb', t('bench.rssMb')],
    ['failures', t('bench.failures')],
  ] as const;
  const cell = (row: Row, column: (typeof columns)[number][0]) => {
    const figure = row[column];
    if (figure === null) return '–';
    return (column === 'perSecond' ? format.rate : format.integer)(figure);
  };
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {columns.map(([column, name]) => (
            <th key={column} scope="col" className="figure">
              {name}
            </th>
          ))}
          {last && <td />}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row" className="num">
              {format.integer(row.name)}
            </th>
            {columns.map(([column]) => (
              <td key={column} className="figure">
                {cell(row, column)}
              </td>
            ))}
            {last && <td className="tight figure">{last(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

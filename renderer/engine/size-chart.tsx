import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { BenchDocument } from '../../main/contract/cli.ts';
import { useSettings } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';

const height = 220;
const role = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

type Rows = BenchDocument['batches'];

/** Throughput (left) and p95 (right) over the batch size, sizes evenly spaced. */
export const SizeChart = ({ rows }: Readonly<{ rows: Rows }>) => {
  const { t, format } = useWords();
  const theme = useSettings().theme;
  const box = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read through the computed style
  useEffect(() => {
    const element = box.current!;
    const axis = { stroke: role('--muted'), ticks: { show: false }, font: '12px "Inter Variable"' };
    const grid = { stroke: role('--line'), width: 1 };
    const fromZero: uPlot.Range.Function = (_, _low, high) => [0, Math.max(1, high * 1.15)];
    const made = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 8, 0, 0],
        scales: {
          x: { time: false, range: [-0.3, rows.length - 0.7] },
          rate: { range: fromZero },
          ms: { range: fromZero },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: () => rows.map((_, at) => at),
            values: () => rows.map(({ size }) => format.integer(size)),
          },
          { ...axis, grid, scale: 'rate', size: 44, values: (_, values) => values.map(format.integer) },
          {
            ...axis,
            grid: { show: false },
            scale: 'ms',
            side: 1,
            size: 56,
            values: (_, values) => values.map(format.integer),
          },
        ],
        series: [
          {},
          { scale: 'rate', stroke: role('--accent'), width: 1.6, points: { size: 6, fill: role('--accent') } },
          {
            scale: 'ms',
            stroke: role('--maybe'),
            width: 1.6,
            dash: [5, 4],
            points: { size: 6, fill: role('--maybe') },
          },
        ],
      },
      [rows.map((_, at) => at), rows.map(({ perSecond }) => perSecond), rows.map(({ p95 }) => p95)],
      element,
    );
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme, rows, format]);

  return (
    <figure className="chart" aria-label={t('bench.chart')}>
      <figcaption className="head">
        <h2 className="heading-s">{t('bench.chart')}</h2>
        <span className="legend" style={{ '--c': 'var(--accent)' } as React.CSSProperties}>
          {t('bench.perSecond')}
        </span>
        <span className="legend dashed" style={{ '--c': 'var(--maybe)' } as React.CSSProperties}>
          {t('bench.p95Ms')}
        </span>
      </figcaption>
      <div ref={box} style={{ height }} />
    </figure>
  );
};

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useTheme } from '../data/appearance.ts';
import { useWords } from '../i18n/index.ts';
import { type Sample, useHistory } from './history.ts';

type Series = Readonly<{ name: string; role: '--accent' | '--maybe' | '--no'; of: (sample: Sample) => number | null }>;
type Props = Readonly<{ title: string; series: readonly Series[] }>;

const role = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const height = 136;

/** A line chart of the last ten minutes. Colours are read from the roles, so it is drawn anew when the theme changes. */
const Chart = ({ title, series }: Props) => {
  const { t, format } = useWords();
  const samples = useHistory((state) => state.samples);
  const theme = useTheme().name;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const enough = samples.length > 1;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read through the computed style
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const line = role('--line');
    const ink = role('--muted');
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      font: '12px "Inter Variable"',
    };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 1, 6, 0],
        scales: { x: { time: false }, y: { range: (_, _low, high) => [0, Math.max(1, high * 1.15)] } },
        axes: [
          { show: false },
          {
            ...axis,
            size: 40,
            space: 32,
            values: (_, values) =>
              values.map((value) => (Number.isInteger(value) ? format.integer(value) : format.rate(value))),
          },
        ],
        series: [
          {},
          ...series.map((one) => ({ stroke: role(one.role), width: 1.6, points: { show: false }, spanGaps: true })),
        ],
      },
      [[], ...series.map(() => [])],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme, enough]);

  useEffect(() => {
    plot.current?.setData([
      samples.map((sample) => sample.at / 1000),
      ...series.map((one) => samples.map((sample) => one.of(sample))),
    ]);
  }, [samples, series]);

  return (
    <figure className="chart" aria-label={title}>
      <figcaption className="head">
        <h2 className="heading-s">{title}</h2>
        {series.length > 1 &&
          series.map((one) => (
            <span key={one.name} className="legend" style={{ '--c': `var(${one.role})` } as React.CSSProperties}>
              {one.name}
            </span>
          ))}
      </figcaption>
      {enough ? (
        <>
          <div ref={box} className="plot" />
          <div className="span">
            <span>{t('engine.ago', { span: format.span(samples.at(-1)!.at - samples[0]!.at) })}</span>
            <span>{t('engine.now')}</span>
          </div>
        </>
      ) : (
        <div className="waiting">{t('engine.noFigures')}</div>
      )}
    </figure>
  );
};

const rate: readonly Series[] = [{ name: '', role: '--accent', of: (sample) => sample.photosPerSecond }];
const latency: readonly Series[] = [
  { name: 'p50', role: '--accent', of: (sample) => sample.p50 },
  { name: 'p95', role: '--maybe', of: (sample) => sample.p95 },
  { name: 'p99', role: '--no', of: (sample) => sample.p99 },
];
const batch: readonly Series[] = [{ name: '', role: '--accent', of: (sample) => sample.batch }];
const memory: readonly Series[] = [{ name: '', role: '--accent', of: (sample) => sample.memoryMb }];
const queue: readonly Series[] = [{ name: '', role: '--accent', of: (sample) => sample.queue }];

export const Charts = () => {
  const { t } = useWords();
  return (
    <div className="charts">
      <Chart title={t('engine.chartRate')} series={rate} />
      <Chart title={t('engine.chartLatency')} series={latency} />
      <Chart title={t('engine.chartBatch')} series={batch} />
      <Chart title={t('engine.chartQueue')} series={queue} />
      <Chart title={t('engine.chartMemory')} series={memory} />
    </div>
  );
};

/** Statements as people really write them, on five samples: decided rightly or not at all, and seldom not at all. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteSkipped, shared } from '../../shared.ts';
import { root, vouch } from './vouch.ts';

const photos = ['cat', 'coffee-cup', 'astronaut', 'man-with-camera', 'raccoon'];
type Row = Readonly<{ statement: string; trueOn: ReadonlySet<string>; settled: boolean }>;

/** The last two columns of a table: a statement, and the photos that it is true on; "?" where nothing could tell. */
const readTable = (file: string): readonly Row[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [statement = '', trueOn = ''] = line.split('\t').slice(-2);
      const names = trueOn === 'all' ? photos : trueOn.split(',');
      return { statement, trueOn: new Set(names), settled: trueOn !== '?' };
    });

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'vouch-odd-'));
  mkdirSync(join(work, 'photos'));
  for (const name of photos) {
    copyFileSync(join(root, 'resources', 'samples', `${name}.jpg`), join(work, 'photos', `${name}.jpg`));
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

type Verdict = Readonly<{ path: string; statement: string; effectiveLabel: 'yes' | 'no' | 'maybe' }>;

const judged = async (name: string, rows: readonly Row[]): Promise<readonly Verdict[]> => {
  const home = join(work, `home-${name}`);
  const set = join(work, `${name}.yaml`);
  const out = join(work, `${name}.jsonl`);
  const statements = rows.map(({ statement }) => `  - text: ${JSON.stringify(statement)}`);
  writeFileSync(set, `name: ${name}\nstatements:\n${statements.join('\n')}\n`);
  const scan = await vouch('scan', join(work, 'photos'), '--set', set, '--home', home, '--json');
  expect(scan.code, scan.stderr).toBe(0);
  const exported = await vouch('export', '--format', 'jsonl', '--out', out, '--home', home, '--json');
  expect(exported.code, exported.stderr).toBe(0);
  return readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Verdict => JSON.parse(line));
};

/** How many verdicts are decided, and what is decided wrongly. */
const check = (rows: readonly Row[], verdicts: readonly Verdict[]) => {
  const rowOf = new Map(rows.map((row) => [row.statement, row]));
  expect(verdicts).toHaveLength(rowOf.size * photos.length);
  const decided = verdicts.filter(({ effectiveLabel }) => effectiveLabel !== 'maybe');
  const wrong = decided.filter(({ path, statement, effectiveLabel }) => {
    const { settled, trueOn } = rowOf.get(statement)!;
    return !settled || (effectiveLabel === 'yes') !== trueOn.has(basename(path, '.jpg'));
  });
  return {
    decided: decided.length,
    wrong: wrong.map(({ path, statement, effectiveLabel }) => `${basename(path)} ${effectiveLabel}: ${statement}`),
  };
};

it('numbers, negations, quantifiers, comparisons, conditions, lists and their apostrophes', async () => {
  const rows = readTable(join(import.meta.dirname, '..', '..', 'fixtures', 'statements', 'odd.tsv'));
  const { decided, wrong } = check(rows, await judged('odd', rows));
  expect(wrong).toEqual([]);
  expect(decided).toBeGreaterThanOrEqual(185);
});

const tables = ['statements-1', 'statements-2'];
noteSkipped('statements after public bug reports');
it.skipIf(!shared || !existsSync(join(shared, 'faults')))(
  'statements after public bug reports: none wrong, and more decided than before they were mended',
  async () => {
    const rows = tables.map((name) => readTable(join(shared!, 'faults', `${name}.tsv`)));
    const checked = await Promise.all(rows.map(async (table, i) => check(table, await judged(tables[i]!, table))));
    expect(checked.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(checked[0]!.decided).toBeGreaterThanOrEqual(306);
    expect(checked[1]!.decided).toBeGreaterThanOrEqual(216);
  },
);

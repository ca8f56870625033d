/**
 * Holds docs/architecture.md against the code: its picture names every folder of the core on the floor that the layer
 * check gives it, and its table names what each folder really imports. `--write` brings the table up to date.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');
const page = resolve(root, 'docs', 'architecture.md');
const { core }: { core: readonly (readonly string[])[] } = createRequire(import.meta.url)('../floors.cjs');

type Module = Readonly<{ source: string; dependencies: readonly Readonly<{ resolved: string }>[] }>;

const cruise = (): readonly Module[] => {
  const bin = resolve(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const args = [bin, '--config', 'build/dependency-cruiser.cjs', '--output-type', 'json'];
  const { stdout, status } = spawnSync(process.execPath, [...args, 'electron', 'main', 'models', 'renderer'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error('the layers do not hold: npm run layers says where');
  return (JSON.parse(stdout) as { modules: readonly Module[] }).modules;
};

/** The part of the house that a file belongs to: a folder of main/, a file beside them, or another top folder. */
const partOf = (path: string): string | undefined => {
  const [top = '', inner = '', deeper] = path.split('/');
  if (top !== 'main') return ['electron', 'renderer', 'models'].includes(top) ? top : undefined;
  return deeper === undefined ? inner.replace(/\.ts$/, '') : inner;
};

const importsByPart = (modules: readonly Module[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = partOf(source);
    if (from === undefined) continue;
    const taken = found.get(from) ?? new Set<string>();
    for (const { resolved } of dependencies) {
      const to = partOf(resolved);
      if (to !== undefined && to !== from) taken.add(to);
    }
    found.set(from, taken);
  }
  const height = (part: string): number => core.findIndex((floor) => floor.includes(part));
  const order = (a: string, b: string): number => height(b) - height(a) || a.localeCompare(b);
  return new Map([...found].map(([part, taken]) => [part, [...taken].toSorted(order)]));
};

/** The lines of the picture, from the top floor down, each as the folders that it names. */
const picturedFloors = (text: string): readonly (readonly string[])[] => {
  const picture = /```text floors\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return picture
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|')[0]!.trim().split(/\s+/));
};

const row = /^\| `([a-z]+)` \|([^|]*)\|([^|]*)\|$/gm;

const problems: string[] = [];
const text = readFileSync(page, 'utf8');
const imports = importsByPart(cruise());

const drawn = picturedFloors(text).map((floor) => floor.toSorted().join(' '));
const real = core.toReversed().map((floor) => floor.toSorted().join(' '));
if (drawn.join('\n') !== real.join('\n')) problems.push(`the picture should read, from the top:\n${real.join('\n')}`);

const told = new Set<string>();
const updated = text.replace(row, (line, part: string, does: string, taken: string) => {
  told.add(part);
  const now = (imports.get(part) ?? []).join(', ');
  if (taken.trim() !== now)
    problems.push(`${part} imports ${now || 'nothing'}; the table says ${taken.trim() || 'nothing'}`);
  return taken.trim() === now ? line : `| \`${part}\` |${does}| ${now} |`;
});
for (const part of imports.keys()) if (!told.has(part)) problems.push(`the table lacks ${part}`);
for (const part of told) if (!imports.has(part)) problems.push(`there is no ${part}`);

if (process.argv.includes('--write')) writeFileSync(page, updated);
else if (problems.length > 0) {
  console.error(`docs/architecture.md is not what the code is:\n${problems.join('\n')}`);
  console.error('Mend the page; "npm run architecture -- --write" brings its table up to date.');
  process.exitCode = 1;
}

/** Writes NOTICE: everything shipped that others made, from the lock file and build/notices. `--check` only compares. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type LockedPackage = Readonly<{
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Readonly<Record<string, string>>;
}>;

const root = resolve(import.meta.dirname, '..', '..');
const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;

/** Development packages whose code ends up in the window's bundle. */
const bundled = [
  '@fontsource-variable/inter',
  '@fontsource-variable/noto-sans-sc',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'i18next',
  'lucide-react',
  'react',
  'react-aria-components',
  'react-dom',
  'react-i18next',
  'tinykeys',
  'uplot',
  'zustand',
];

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

const withDependencies = (names: readonly string[]): ReadonlySet<string> => {
  const all = new Set<string>();
  const visit = (name: string) => {
    if (all.has(name)) return;
    all.add(name);
    for (const dependency of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) visit(dependency);
  };
  names.forEach(visit);
  return all;
};

const inWindow = withDependencies(bundled);
const lines = Object.entries(packages)
  .filter(([place, { dev, devOptional }]) => place !== '' && (inWindow.has(nameOf(place)) || !(dev || devOptional)))
  .map(([place, { version, license }]) => `${nameOf(place)} ${version} (${license ?? 'licence in its package'})`);
const list = [...new Set(lines)].sort().join('\n');

const notices = join(root, 'build', 'notices');
const others = readdirSync(notices)
  .sort()
  .map((file) => readFileSync(join(notices, file), 'utf8').trim())
  .join('\n\n');

const notice = `Vouch contains work of others, under their own licences.

# Models, data, photos and fonts

${others}

# Packages

The licence text of each package is in its folder, or at its home in the package registry.

${list}
`;

const file = join(root, 'NOTICE');
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== notice) {
    console.error('NOTICE is out of date: run "node build/scripts/notice.ts"');
    process.exit(1);
  }
} else writeFileSync(file, notice);

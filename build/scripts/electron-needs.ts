/** What a machine must have before a step runs, each with the Debian package that brings it. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export class NeedsError extends Error {}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const aptLine = (packages: readonly string[]): string => `  apt-get install ${[...new Set(packages)].join(' ')}`;

/** Throws a `NeedsError` that names every missing program and the packages that bring them. */
export const needPrograms = (what: string, programs: Readonly<Record<string, string>>): void => {
  const missing = Object.keys(programs).filter((program) => !onPath(program));
  if (missing.length === 0) return;
  throw new NeedsError(
    `${what} needs ${missing.join(', ')}, which this machine lacks. On Debian or Ubuntu:\n` +
      aptLine(missing.map((program) => programs[program]!)),
  );
};

/** Shared libraries that Electron links, and the package of each (Debian 12 names; 13 resolves them too). */
const libraries: readonly (readonly [RegExp, string])[] = [
  [/^lib(gtk|gdk)-3/, 'libgtk-3-0'],
  [/^lib(nss3|nssutil3|smime3|nspr4|plc4|plds4)/, 'libnss3'],
  [/^libasound/, 'libasound2'],
  [/^libgbm/, 'libgbm1'],
  [/^libXss/, 'libxss1'],
  [/^libatk-bridge/, 'libatk-bridge2.0-0'],
  [/^libatk-1/, 'libatk1.0-0'],
  [/^libatspi/, 'libatspi2.0-0'],
  [/^libcups/, 'libcups2'],
  [/^libdrm/, 'libdrm2'],
  [/^libxkbcommon/, 'libxkbcommon0'],
  [/^libXcomposite/, 'libxcomposite1'],
  [/^libXdamage/, 'libxdamage1'],
  [/^libXfixes/, 'libxfixes3'],
  [/^libXrandr/, 'libxrandr2'],
  [/^libXext/, 'libxext6'],
  [/^libX11/, 'libx11-6'],
  [/^libxcb/, 'libxcb1'],
  [/^libpango/, 'libpango-1.0-0'],
  [/^libcairo/, 'libcairo2'],
  [/^libdbus/, 'dbus'],
  [/^libexpat/, 'libexpat1'],
  [/^libudev/, 'libudev1'],
  [/^lib(glib|gio|gobject)-2/, 'libglib2.0-0'],
];

/** Throws a `NeedsError` when the dynamic linker cannot find a library of the executable. Linux only. */
export const needLibraries = (executable: string): void => {
  if (process.platform !== 'linux') return;
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  const missing = [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]!);
  if (missing.length === 0) return;
  const packages = missing.map((file) => libraries.find(([name]) => name.test(file))?.[1]);
  throw new NeedsError(
    `Electron cannot start: this machine lacks ${missing.join(', ')}. On Debian or Ubuntu:\n` +
      aptLine(packages.filter((name) => name !== undefined)),
  );
};

/** A display for a window: an existing one, or Xvfb where the caller may start it. */
export const needDisplay = (canStartOne: boolean): void => {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  if (canStartOne) {
    needPrograms('A test without a display', { Xvfb: 'xvfb' });
    return;
  }
  throw new NeedsError(
    'There is no display to open a window on (DISPLAY is not set). Run it in a desktop session, or under a virtual one:\n' +
      '  apt-get install xvfb xauth\n  xvfb-run -a npm start',
  );
};

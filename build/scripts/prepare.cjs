// Builds after `npm ci`, and does nothing when the build is newer than every source (npx runs prepare again).
'use strict';
const { spawnSync } = require('node:child_process');
const { existsSync, readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const sources = ['electron', 'main', 'models/adapters', 'renderer', 'build', 'package.json', 'package-lock.json'];

const newest = (path) => {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
};

const stamp = join(root, 'dist', 'main', 'cli.js');
const built = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (built > sources.reduce((latest, path) => Math.max(latest, newest(join(root, path))), 0)) process.exit(0);

if (!existsSync(join(root, 'node_modules', 'electron-vite'))) {
  process.stderr.write('vouch: development packages are missing, nothing was built; run "npm ci" with them.\n');
  process.exit(0);
}
const bin = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const node = existsSync(pinned) ? pinned : process.execPath;
const result = spawnSync(
  node,
  [bin, 'build', '--config', join('build', 'electron.vite.config.ts'), '--logLevel', 'warn'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(result.status ?? 1);

// What Electron's own default app does, for a runtime that came without one: `electron [options] FOLDER` runs that
// folder's package.json `main`, CommonJS or ESM. Options that are Chromium's or Node's were taken before this runs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron/main';

const require = createRequire(import.meta.url);
const options = process.argv.slice(1);
let folder;
while (options.length > 0 && folder === undefined) {
  const option = options.shift();
  if (option === '--require' || option === '-r') require(resolve(options.shift()));
  else if (option === '--version' || option === '-v') {
    console.log(`v${process.versions.electron}`);
    process.exit(0);
  } else if (!option.startsWith('-')) folder = resolve(option);
}
if (folder === undefined) {
  console.error('usage: electron [options] FOLDER [arguments]');
  process.exit(2);
}

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
process.defaultApp = true;
app.setAppPath(folder);
app.setName(manifest.productName ?? manifest.name);
if (manifest.version) app.setVersion(manifest.version);
if (manifest.desktopName) app.setDesktopName(manifest.desktopName);
await import(pathToFileURL(join(folder, manifest.main ?? 'index.js')).href);

/**
 * Builds the embedded pack concept-en from pinned packages; the same sources and fit.json give the same bytes.
 *   node models/tools/build-pack.ts             writes the graphs, the files about them and vouch.json
 *   node models/tools/build-pack.ts --manifest  writes only vouch.json, from the files that lie there
 *   node models/tools/build-pack.ts --check     builds in memory and compares with the hashes in vouch.json
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packGraphs } from './convert/graphs.ts';
import { describingFiles, writeManifest } from './convert/manifest.ts';
import { CACHE, PACK } from './convert/pack.ts';
import { packFiles } from './convert/precisions.ts';
import { sha256 } from './convert/sources.ts';

const readJson = (name: string) => JSON.parse(readFileSync(join(PACK, name), 'utf8'));

function build(): ReadonlyMap<string, Uint8Array> {
  const graphs = packFiles(packGraphs(CACHE), readJson('fit.json').int8.classifier);
  return new Map([...describingFiles(), ...[...graphs].map(([name, bytes]) => [`onnx/${name}`, bytes] as const)]);
}

function check(): void {
  const pinned: Readonly<Record<string, string>> = readJson('vouch.json').sha256;
  const differing = [...build()].filter(([path, bytes]) => sha256(bytes) !== pinned[path]).map(([path]) => path);
  if (differing.length > 0) throw new Error(`not as in vouch.json: ${differing.join(', ')}`);
  console.log('every built file has the hash in vouch.json');
}

function write(): void {
  for (const [path, bytes] of build()) {
    mkdirSync(dirname(join(PACK, path)), { recursive: true });
    writeFileSync(join(PACK, path), bytes);
  }
  writeManifest();
}

const { values } = parseArgs({ options: { manifest: { type: 'boolean' }, check: { type: 'boolean' } } });
if (values.check) check();
else if (values.manifest) writeManifest();
else write();

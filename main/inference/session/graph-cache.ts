/**
 * Optimised graphs on disk, so that the next start need not optimise them again. Only for the CPU: graphs that were
 * compiled for an accelerator cannot be written. A file that is not as it was written is thrown away and made anew.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type * as Ort from 'onnxruntime-node';

type SessionOptions = Ort.InferenceSession.SessionOptions;
type OpenGraph = (path: string, options: SessionOptions) => Promise<Ort.InferenceSession>;

/** The optimised layout depends on the processor, its contents on runtime and source file. */
export type GraphKey = Readonly<{ graphSha256: string; runtime: string; precision: string }>;
export type GraphOrigin = 'original' | 'built' | 'cached';

const level = 'all';
/** Graphs of about five packs and precisions. */
const keptGraphs = 10;
const leftAfterMs = 3_600_000;

const keyOf = (key: GraphKey, source: string): string => {
  const { size, mtimeMs } = statSync(source);
  const parts = [key.graphSha256, size, mtimeMs, key.runtime, 'cpu', key.precision, level, arch(), cpus()[0]?.model];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
};

const sumOf = (file: string): string => {
  const bytes = readFileSync(file);
  return `${bytes.byteLength} ${crc32(bytes)}`;
};

const isSound = (file: string): boolean => {
  try {
    return readFileSync(`${file}.sum`, 'utf8') === sumOf(file);
  } catch {
    return false;
  }
};

const forget = (file: string): void => {
  for (const path of [file, `${file}.sum`]) rmSync(path, { force: true });
};

/** The sum is moved into place last: without it the graph does not count. */
const keep = (temporary: string, file: string): void => {
  writeFileSync(`${temporary}.sum`, sumOf(temporary));
  rmSync(`${file}.sum`, { force: true });
  renameSync(temporary, file);
  renameSync(`${temporary}.sum`, `${file}.sum`);
};

/** Keeps the newest graphs, and nothing that a process left behind when it died while writing. */
const prune = (dir: string): void => {
  const files = readdirSync(dir).map((name) => ({ file: join(dir, name), at: statSync(join(dir, name)).mtimeMs }));
  const graphs = files.filter(({ file }) => file.endsWith('.onnx')).toSorted((a, b) => b.at - a.at);
  const left = files.filter(({ file, at }) => basename(file).startsWith('.') && Date.now() - at > leftAfterMs);
  for (const { file } of [...graphs.slice(keptGraphs), ...left]) forget(file);
};

export type OpenedGraph = Readonly<{ session: Ort.InferenceSession; origin: GraphOrigin }>;

/**
 * Opens `source` by way of the folder `dir`. A folder that cannot be written to costs nothing but the gain.
 * @throws Error where the source itself cannot be opened.
 */
export const openCached = async (
  dir: string,
  key: GraphKey,
  source: string,
  open: OpenGraph,
  options: SessionOptions,
): Promise<OpenedGraph> => {
  const file = join(dir, `${basename(source, '.onnx')}-${keyOf(key, source)}.onnx`);
  if (isSound(file)) {
    try {
      return { session: await open(file, { ...options, graphOptimizationLevel: 'disabled' }), origin: 'cached' };
    } catch {
      forget(file);
    }
  }
  try {
    mkdirSync(dir, { recursive: true });
  } catch {
    return { session: await open(source, options), origin: 'original' };
  }
  const temporary = join(dir, `.${process.pid}-${randomUUID()}`);
  try {
    const session = await open(source, {
      ...options,
      graphOptimizationLevel: level,
      optimizedModelFilePath: temporary,
    });
    keep(temporary, file);
    prune(dir);
    return { session, origin: 'built' };
  } catch {
    for (const path of [temporary, `${temporary}.sum`]) rmSync(path, { force: true });
    return { session: await open(source, options), origin: 'original' };
  }
};

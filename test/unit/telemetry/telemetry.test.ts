import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EventName, eventNames, type TelemetryEvent, telemetryEvents } from '../../../main/contract/telemetry.ts';
import { createTelemetry } from '../../../main/telemetry/telemetry.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const sources = ['main', 'electron'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
);

describe('the map of events', () => {
  it('holds what is told somewhere, and nothing else', () => {
    const told = sources.flatMap((text) =>
      [...text.matchAll(/(?<!\bevents\.)\bemit\(\s*'(\w+)'/g)].map(([, name]) => name),
    );
    expect([...new Set(told)].toSorted()).toEqual(eventNames.toSorted());
  });

  it('is the only way into the log', () => {
    const opened = sources.filter((text) => /\bopenLog\(/.test(text));
    expect(opened).toHaveLength(1);
    expect(sources.filter((text) => /\.log\.(info|warn|error)\(/.test(text))).toEqual([]);
  });

  it('names events as a log names them: one or more words of lower-case letters', () => {
    for (const name of eventNames) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it('refuses, as types do, an event or a field that it does not have', () => {
    const { emit } = createTelemetry();
    // @ts-expect-error no such event
    emit('settings_lost', {});
    // @ts-expect-error no such field
    emit('quarantine', { reason: 'vanished', path: '/p/a.jpg' });
    // @ts-expect-error a field is missing
    emit('run_failed', { run: 'a' });
    expect(telemetryEvents.quarantine.fields.safeParse({ reason: 'vanished', path: '/p/a.jpg' }).success).toBe(false);
  });
});

describe('telemetry', () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  afterEach(() => {
    process.off('warning', onWarning);
    warnings.length = 0;
  });

  it('tells whoever listens to the event, in order and with the time, until they stop', () => {
    const { emit, subscribe } = createTelemetry();
    const heard: TelemetryEvent[] = [];
    const names: EventName[] = [];
    const before = Date.now();
    const stop = subscribe(['not_finite', 'quarantine'], (event) => void heard.push(event));
    subscribe(['quarantine'], ({ event }) => void names.push(event));
    emit('not_finite', { photos: 2 });
    emit('over_memory', { host: 'image', rssBytes: 1 });
    emit('quarantine', { reason: 'vanished' });
    stop();
    emit('quarantine', { reason: 'vanished' });
    emit('not_finite', { photos: 3 });
    expect(heard).toMatchObject([
      { event: 'not_finite', fields: { photos: 2 } },
      { event: 'quarantine', fields: { reason: 'vanished' } },
    ]);
    for (const { at } of heard) expect(at).toBeGreaterThanOrEqual(before);
    expect(names).toEqual(['quarantine', 'quarantine']);
  });

  it('goes on when a listener fails, warns of it, and tells the others', async () => {
    process.on('warning', onWarning);
    const { emit, subscribe } = createTelemetry();
    const heard: EventName[] = [];
    subscribe(['not_finite'], () => {
      throw new Error('a listener that fails');
    });
    subscribe(['not_finite'], ({ event }) => void heard.push(event));
    emit('not_finite', { photos: 1 });
    expect(heard).toEqual(['not_finite']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual(['a listener that fails']);
  });

  it('costs next to nothing where nobody listens: under a microsecond of CPU time an event', () => {
    const { emit, subscribe } = createTelemetry();
    subscribe(['quarantine'], () => undefined);
    const times = 200_000;
    const tell = () => {
      for (let i = 0; i < times; i += 1) {
        emit('store_request', { request: 'photos.attach', waitedMs: i, ranMs: 1, ok: true });
      }
    };
    tell();
    const before = process.cpuUsage();
    tell();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / times).toBeLessThan(1);
  });
});

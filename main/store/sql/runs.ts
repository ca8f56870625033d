/** Runs (a scan, a watch, a re-scoring) and settings. */

import type { RunOperations, RunRecord, RunState, SettingOperations } from '../types.ts';
import type { Db } from './connection.ts';
import { idBytes, idText, newId } from './ids.ts';

type Row = {
  id: number;
  uuid: Buffer;
  kind: string;
  state: RunState;
  started_at: number;
  finished_at: number | null;
  params: string;
  counts: string;
};

const toRecord = (row: Row): RunRecord => ({
  key: row.id,
  id: idText(row.uuid),
  kind: row.kind,
  state: row.state,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  params: JSON.parse(row.params),
  counts: JSON.parse(row.counts),
});

/** Runs of a process that ended without saying so. Only for the one writer. */
export const markInterruptedRuns = (db: Db): void => {
  db.prepare("UPDATE runs SET state = 'interrupted' WHERE state = 'running'").run();
};

export const runOperations = (db: Db): RunOperations => {
  const add = db.prepare(
    "INSERT INTO runs (uuid, kind, state, started_at, params, counts) VALUES (?, ?, 'running', ?, ?, '{}') RETURNING *",
  );
  const end = db.prepare('UPDATE runs SET state = ?, finished_at = ?, counts = ? WHERE id = ?');
  const latest = db.prepare<[number], Row>('SELECT * FROM runs ORDER BY id DESC LIMIT ?');
  return {
    begin: (kind, params, id) =>
      toRecord(add.get((id && idBytes(id)) ?? newId(), kind, Date.now(), JSON.stringify(params)) as Row),
    finish: (run, state, counts) => {
      end.run(state, Date.now(), JSON.stringify(counts), run);
    },
    list: (limit) => latest.all(limit).map(toRecord),
  };
};

export const settingOperations = (db: Db): SettingOperations => {
  const find = db.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const put = db.prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value');
  return {
    get: (name) => {
      const value = find.get(name);
      return value === undefined ? null : JSON.parse(value);
    },
    set: (name, value) => {
      put.run(name, JSON.stringify(value ?? null));
    },
  };
};

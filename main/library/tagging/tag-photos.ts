/**
 * Tags a handful of photos: looks at their sidecars, plans, notes what is about to be written, writes, and notes that it
 * was. A kill in between leaves a note that the next try makes true.
 */
import { access } from 'node:fs/promises';
import pMap from 'p-map';
import type { SidecarChange } from '../../contract/export.ts';
import type { Tagging } from '../../contract/tagging.ts';
import type { Store, TagKey, TagRecord, TagSubject } from '../../store/types.ts';
import type { SidecarEditor } from './exiftool.ts';
import { type PathPlan, planPath, type TagRules } from './plan.ts';
import { changeSidecar, readSidecar, type Sidecar, sidecarPathOf } from './sidecar.ts';

export type TagWork = Readonly<{
  rules: TagRules;
  /** How photos at this path are tagged. */
  modeOf: (path: string) => Tagging;
  by: 'folder' | 'export';
  /** Plan only. */
  dryRun?: boolean;
}>;
export type TagPorts = Readonly<{ store: Pick<Store, 'tags'>; editor: SidecarEditor }>;

export type Tagged = Readonly<{
  /** Sidecars that were (or would be) changed. */
  changes: readonly SidecarChange[];
  failed: readonly Readonly<{ sidecar: string; problem: string }>[];
  /** Keywords of Vouch's that stand on these photos now, one for each path. */
  standing: number;
}>;

const atOnce = 16;
const nothing: PathPlan = { apply: [], adopt: [], kept: 0, withdraw: [], strip: [] };
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Planned = Readonly<{
  subject: TagSubject;
  path: string;
  sidecar: string;
  plan: PathPlan;
  problem: string | null;
}>;

const isGone = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );

export const tagPhotos = async (
  subjects: readonly TagSubject[],
  work: TagWork,
  { store, editor }: TagPorts,
): Promise<Tagged> => {
  /** Each sidecar as it was before this handful, read once. */
  const read = new Map<string, Promise<Sidecar>>();
  const sidecarAt = (path: string): Promise<Sidecar> => {
    const known = read.get(path) ?? readSidecar(path, editor);
    read.set(path, known);
    return known;
  };

  const planAlive = async (subject: TagSubject, path: string): Promise<Planned> => {
    const mode = work.by === 'export' ? 'xmp' : work.modeOf(path);
    const records = subject.records.filter((record) => record.path === path);
    let sidecar = '';
    try {
      if (mode === 'xmp') sidecar = await sidecarPathOf(path);
      const there = mode === 'xmp' ? (await sidecarAt(sidecar)).keywords : { subject: [], hierarchical: [] };
      const present = [...new Set([...there.subject, ...there.hierarchical])];
      const dead = new Set(subject.paths.flatMap((one) => (one.alive ? [] : one.path)));
      const moved = subject.records.filter((record) => dead.has(record.path)).map(({ keyword }) => keyword);
      const situation = { mode, sidecar, present, records, moved, pairs: subject.pairs, by: work.by };
      return { subject, path, sidecar, plan: planPath(situation, work.rules), problem: null };
    } catch (error) {
      return { subject, path, sidecar, plan: nothing, problem: textOf(error) };
    }
  };

  /** A file that is gone leaves its keywords behind; one that only left the library keeps them. */
  const planDead = async (subject: TagSubject, path: string): Promise<Planned> => {
    const withdraw = (await isGone(path)) ? subject.records.filter((record) => record.path === path) : [];
    return { subject, path, sidecar: '', plan: { ...nothing, withdraw }, problem: null };
  };

  const tasks = subjects.flatMap((subject) => subject.paths.map((path) => ({ subject, ...path })));
  const planned = await pMap(
    tasks,
    ({ subject, path, alive }) => (alive ? planAlive(subject, path) : planDead(subject, path)),
    { concurrency: atOnce },
  );

  const edits = editsOf(planned);
  const failed = planned.flatMap(({ sidecar, problem }) => (problem === null ? [] : [{ sidecar, problem }]));
  const standing = planned.reduce((sum, { plan }) => sum + plan.apply.length + plan.adopt.length + plan.kept, 0);
  const changes: SidecarChange[] = [];
  const broken = new Map<string, string>(failed.map(({ sidecar, problem }) => [sidecar, problem]));
  if (!work.dryRun) {
    const claims = planned.flatMap((one) =>
      [...one.plan.apply, ...one.plan.adopt].map((named) => ({ ...keyOf(one, named.keyword), ...named, by: work.by })),
    );
    if (claims.length > 0) await store.tags.claim(claims, Date.now());
  }
  await pMap(
    [...edits],
    async ([path, { add, remove }]) => {
      try {
        const before = await sidecarAt(path);
        const added = [...add];
        const removed = [...remove].filter((keyword) => !add.has(keyword));
        const there = new Set([...before.keywords.subject, ...before.keywords.hierarchical]);
        const change = {
          sidecar: path,
          added: added.filter((keyword) => !there.has(keyword)),
          removed: removed.filter((keyword) => there.has(keyword)),
        };
        const changed = work.dryRun
          ? change.added.length + change.removed.length > 0
          : await changeSidecar(before, added, removed, editor);
        if (changed) changes.push(change);
      } catch (error) {
        broken.set(path, textOf(error));
        failed.push({ sidecar: path, problem: textOf(error) });
      }
    },
    { concurrency: atOnce },
  );
  if (!work.dryRun) await settle(store, subjects, planned, broken);
  return { changes, failed, standing };
};

const keyOf = ({ subject, path, sidecar }: Planned, keyword: string): TagKey => ({
  photo: subject.photo,
  path,
  sidecar,
  keyword,
});

type Edits = ReadonlyMap<string, Readonly<{ add: ReadonlySet<string>; remove: ReadonlySet<string> }>>;

/** What each sidecar gains and loses; a keyword that other photos share stays until the last of them loses it. */
const editsOf = (planned: readonly Planned[]): Edits => {
  const edits = new Map<string, { add: Set<string>; remove: Set<string> }>();
  const at = (sidecar: string) => {
    const known = edits.get(sidecar) ?? { add: new Set<string>(), remove: new Set<string>() };
    edits.set(sidecar, known);
    return known;
  };
  const leaving = new Map<string, number>();
  for (const { sidecar, plan } of planned) {
    for (const { keyword } of sidecar === '' ? [] : [...plan.apply, ...plan.adopt]) at(sidecar).add.add(keyword);
    for (const keyword of plan.strip) at(sidecar).remove.add(keyword);
    for (const record of plan.withdraw) {
      if (record.sidecar === '') continue;
      const key = JSON.stringify([record.sidecar, record.keyword]);
      const count = (leaving.get(key) ?? 0) + 1;
      leaving.set(key, count);
      if (count >= record.holders) at(record.sidecar).remove.add(record.keyword);
    }
  }
  return edits;
};

/** A photo of which no path is left has nothing planned, and is done all the same. */
const settle = async (
  store: TagPorts['store'],
  subjects: readonly TagSubject[],
  planned: readonly Planned[],
  broken: ReadonlyMap<string, string>,
): Promise<void> => {
  const key = ({ photo, path, sidecar, keyword }: TagRecord): TagKey => ({ photo, path, sidecar, keyword });
  const fine = ({ sidecar }: { sidecar: string }): boolean => !broken.has(sidecar);
  const written = planned.flatMap((one) =>
    fine(one) ? [...one.plan.apply, ...one.plan.adopt].map(({ keyword }) => keyOf(one, keyword)) : [],
  );
  const withdrawn = planned.flatMap(({ plan }) => plan.withdraw.filter(fine).map(key));
  const problems = new Map<TagSubject, string>();
  for (const { subject, sidecar, plan, problem } of planned) {
    const why = problem ?? [sidecar, ...plan.withdraw.map((one) => one.sidecar)].flatMap((s) => broken.get(s) ?? [])[0];
    if (why !== undefined) problems.set(subject, why);
  }
  const place = ({ photo, turn }: TagSubject) => ({ photo, turn });
  await store.tags.settle({
    written,
    withdrawn,
    done: subjects.filter((subject) => !problems.has(subject)).map(place),
    failed: [...problems].map(([subject, problem]) => ({ ...place(subject), problem })),
  });
};

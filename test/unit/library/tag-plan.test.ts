import { describe, expect, it } from 'vitest';
import type { Grade, Label } from '../../../main/contract/labels.ts';
import { type PathSituation, planPath } from '../../../main/library/tagging/plan.ts';
import type { PhotoKey } from '../../../main/store/keys.ts';
import type { TagRecord } from '../../../main/store/types.ts';

const sidecar = '/p/a.xmp';
const keyword = 'Vouch|dog';
const set: TagRecord = {
  photo: 1 as PhotoKey,
  path: '/p/a.jpg',
  sidecar,
  keyword,
  tag: 'dog',
  by: 'folder',
  written: true,
  holders: 1,
};

const plan = (
  label: Label,
  grade: Grade,
  situation: Partial<PathSituation> = {},
  lowestGrade: 'high' | 'medium' = 'high',
) =>
  planPath(
    {
      mode: 'xmp',
      sidecar,
      present: [],
      pairs: [{ tag: 'dog', label, grade, inScope: true }],
      records: [],
      moved: [],
      by: 'folder',
      ...situation,
    },
    { prefix: 'Vouch', lowestGrade },
  );
const nothing = { apply: [], adopt: [], kept: 0, withdraw: [], strip: [] };
const toApply = { ...nothing, apply: [{ tag: 'dog', keyword }] };

describe('the tag', () => {
  it('is applied on YES at grade high, at medium only if the user says so', () => {
    expect(plan('yes', 'high')).toEqual(toApply);
    expect(plan('yes', 'medium')).toEqual(nothing);
    expect(plan('yes', 'medium', {}, 'medium')).toEqual(toApply);
    expect(plan('maybe', 'high')).toEqual(nothing);
  });

  it('is withdrawn when no longer earned, and only where Vouch set it', () => {
    const stands = { present: [keyword], records: [set] };
    expect(plan('no', 'high', stands)).toEqual({ ...nothing, withdraw: [set] });
    expect(plan('yes', 'medium', stands)).toEqual({ ...nothing, withdraw: [set] });
    expect(plan('no', 'high', { ...stands, pairs: [] })).toEqual({ ...nothing, withdraw: [set] });
    expect(plan('no', 'high', { present: [keyword] })).toEqual(nothing);
  });

  it('is left alone where it stands and is earned', () => {
    expect(plan('yes', 'high', { present: [keyword], records: [set] })).toEqual({ ...nothing, kept: 1 });
    expect(plan('yes', 'high', { present: [keyword] })).toEqual(nothing);
  });
});

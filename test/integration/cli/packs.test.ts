import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSeparablePack } from '../../fixtures/packs/fixture-packs.ts';
import { writePhotos } from '../inference/rig.ts';
import { vouch } from './vouch.ts';

const id = 'fixture-separable';
let home: string;
let photo: string;
let pack: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vouch-packs-'));
  pack = join(home, 'packs', id);
  writeSeparablePack(pack);
  [photo = ''] = await writePhotos(home, 1);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const judge = (model = id) => vouch('judge', photo, '-s', 'a dog', '--model', model, '--home', home, '--device', 'cpu');

describe('a pack that cannot be used is named, with what is wrong with it, and exits 3', () => {
  it.each([
    ['cut short', (file: string) => truncateSync(file, 200)],
    ['no graph at all', (file: string) => writeFileSync(file, 'not a graph')],
    ['empty', (file: string) => truncateSync(file, 0)],
  ])('where its graph is %s', async (_, spoil) => {
    expect((await judge()).code).toBe(0);
    spoil(join(pack, 'onnx', 'model.onnx'));
    rmSync(join(home, 'graphs'), { recursive: true, force: true });
    const { code, stderr } = await judge();
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(`The model pack ${id} cannot be used: `);
    expect(stderr).toContain('model.onnx');
  });

  it('where its manifest does not fit, and no other pack suffers', async () => {
    const manifest = join(pack, 'vouch.json');
    const { inputs: _, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, JSON.stringify(rest));
    const { code, stderr } = await judge();
    expect(code).toBe(3);
    expect(stderr).toContain(`${manifest}: inputs: `);
    expect(stderr).not.toMatch(/[[{]\s*"/);
    const other = await judge('concept-en');
    expect(other.code, other.stderr).toBe(0);
  });

  it('where its manifest is no JSON', async () => {
    writeFileSync(join(pack, 'vouch.json'), '{ "id": ');
    const { code, stderr } = await judge();
    expect(code).toBe(3);
    expect(stderr).toContain(`${join(pack, 'vouch.json')} is not JSON`);
  });
});

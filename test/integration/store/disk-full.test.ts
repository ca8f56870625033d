import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judged, judging, open, verdict } from './open.ts';

/** A file system of 2 MiB, where this machine lets the test make one. */
const smallDisk = (): string | null => {
  const home = mkdtempSync(join(tmpdir(), 'vouch-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', home], { stdio: 'ignore' });
  } catch {
    rmSync(home, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', home]);
    rmSync(home, { recursive: true });
  });
  return home;
};

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('a full disk', () => {
  it('is said, loses nothing that was stored, and work goes on once there is room', async (context) => {
    const home = smallDisk();
    if (home === null) return context.skip('no small file system can be made here');
    const store = await open(home);
    const { statements } = await store.statements.upsertSet(
      { name: 'pets', statements: [{ text: 'a dog' }] },
      'concept-en',
    );
    const batch = (n: number) =>
      store.photos.recordJudged(
        judging(),
        Array.from({ length: 20 }, (_, i) =>
          judged(`/p/${n}-${i}.jpg`, `photo ${n} ${i}`, [verdict(statements[0]!, 'yes')]),
        ),
      );
    await batch(0);
    const ballast = join(home, 'ballast');
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
    let stored = 1;
    const filling = async () => {
      for (; stored < 500; stored++) await batch(stored);
    };
    await expect(filling()).rejects.toMatchObject({ error: { code: 'disk_full', retryable: true } });
    expect((await store.verdicts.countByLabel()).yes).toBe(stored * 20);
    rmSync(ballast);
    await batch(stored);
    expect((await store.verdicts.countByLabel()).yes).toBe((stored + 1) * 20);
    expect((await store.upkeep.check()).problems).toEqual([]);
    await store.close();
  });
});

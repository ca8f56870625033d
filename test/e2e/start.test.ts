/** A start on a database that cannot be opened. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setUpApps, until } from './harness.ts';

const apps = setUpApps();
// field-notes row 30
describe('a damaged database', () => {
  it('is set aside at the start, and the last backup opened from the window', async () => {
    const first = await apps.open();
    await until(
      () => first.page.evaluate(() => window.vouch.results.page({ limit: 1 })),
      (page) => page.ok && page.value.total === 12,
    );
    await first.quit();
    const database = join(first.home, 'vouch.db');
    copyFileSync(database, join(first.home, 'backups', 'vouch-2026-01-01T00-00-00-000Z.db'));
    const bytes = readFileSync(database);
    bytes.fill(0xa5, 4096 * 2, 4096 * 40);
    writeFileSync(database, bytes);

    const stopped = await apps.open({ home: first.home });
    await stopped.page.getByRole('heading', { name: 'The library cannot be opened' }).waitFor();
    await stopped.quit();
    expect(readdirSync(first.home).some((name) => name.startsWith('vouch.db.damaged-'))).toBe(true);

    // Closing it loses nothing: the next start offers the same.
    const second = await apps.open({ home: first.home });
    await second.page.getByRole('button', { name: 'Open the backup' }).press('Enter');
    await second.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    const page = await second.page.evaluate(() => window.vouch.results.page({ limit: 1 }));
    expect(page).toMatchObject({ ok: true, value: { total: 12 } });
    await second.quit();
  });
});

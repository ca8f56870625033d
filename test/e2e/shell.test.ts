/** The shell around the page: what a page gets, and what it cannot do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Launched } from '../../build/scripts/electron-launch.ts';
import { wordsOf } from '../../build/scripts/words.ts';
import { channels, topics } from '../../main/contract/channels.ts';
import { acceleratorOf, menuCommands } from '../../main/contract/menu.ts';
import { screens } from '../../main/contract/screen-names.ts';
import { themes } from '../../main/contract/themes.ts';
import { engineNow, patienceMs, setUpApps, until, untilIs } from './harness.ts';

const apps = setUpApps();
const unknownPhoto = '0192f3a0-1234-7000-8000-0123456789ab';

describe('the window', () => {
  let shell: Launched & { home: string };
  beforeAll(async () => {
    shell = await apps.open();
  });
  const inPage = <T>(run: () => T | Promise<T>) => shell.page.evaluate(run);

  it('opens with the title of the app and tells about itself', async () => {
    expect(
      await shell.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((w) => w.getTitle())),
    ).toEqual(['Vouch']);
    const info = await inPage(() => window.vouch.app.info());
    expect(info).toMatchObject({ ok: true, value: { platform: process.platform, home: shell.home } });
  });

  it('gives the page the typed API and nothing of Node', async () => {
    const seen = await inPage(() => ({
      areas: Object.fromEntries(
        Object.entries(window.vouch).map(([area, methods]) => [
          area,
          typeof methods === 'function' ? null : Object.keys(methods),
        ]),
      ),
      node: ['require', 'process', 'Buffer', 'module', 'global'].filter((name) => name in window),
    }));
    expect(seen.areas).toEqual({ ...channels, on: null, cancel: null, pathOf: null });
    expect(seen.node).toEqual([]);
    const preferences = await shell.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as {
        getLastWebPreferences: () => Record<string, unknown>;
      };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
  });

  // Before the tests that have navigations refused: Playwright goes on waiting for those.
  it('goes wherever the menu leads, in the theme of the settings', async () => {
    const { app, page } = shell;
    const choose = (accelerator: string) =>
      app.evaluate(({ Menu }, wanted) => {
        const items = Menu.getApplicationMenu()!.items.flatMap(({ submenu }) => submenu?.items ?? []);
        items.find((item) => item.accelerator === wanted)!.click();
      }, accelerator);
    for (const { name, keys } of screens) {
      await choose(acceleratorOf(keys[0]));
      const current = () => page.getByTestId('screen').and(page.locator('[aria-current=page]')).textContent();
      await until(current, (text) => text?.startsWith(wordsOf('en').screen[name]) ?? false);
    }
    for (const command of ['palette', 'keys'] as const) {
      await choose(acceleratorOf(menuCommands[command]));
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await choose(acceleratorOf(menuCommands.find));
    await untilIs(() => page.getByRole('searchbox').evaluate((field) => field === document.activeElement), true);
    const before = await page.evaluate(() => window.vouch.settings.get());
    for (const { name, background } of themes) {
      await page.evaluate((theme) => window.vouch.settings.set({ theme }), name);
      await untilIs(() => page.evaluate(() => document.documentElement.dataset.theme), name);
      const painted = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBackgroundColor());
      expect(painted.toLowerCase()).toBe(background);
    }
    if (before.ok) await page.evaluate((theme) => window.vouch.settings.set({ theme }), before.value.theme);
  });

  it('does not run inline or foreign scripts', async () => {
    const ran = await inPage(async () => {
      const inline = document.createElement('script');
      inline.textContent = 'document.documentElement.dataset.inline = "ran"';
      document.head.append(inline);
      const data = document.createElement('script');
      data.src = 'data:text/javascript,document.documentElement.dataset.data="ran"';
      const settled = new Promise((resolve) => {
        data.onload = data.onerror = resolve;
      });
      document.head.append(data);
      await settled;
      const frame = document.createElement('iframe');
      frame.src = 'vouch://app/index.html';
      // Also where it shows nothing but that it was refused.
      const loaded = new Promise((resolve) => {
        frame.onload = resolve;
      });
      document.body.append(frame);
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 2000))]);
      const inside = frame.contentDocument?.getElementById('root') ?? null;
      frame.remove();
      return { ...document.documentElement.dataset, frame: inside !== null };
    });
    expect(ran).not.toHaveProperty('inline');
    expect(ran).not.toHaveProperty('data');
    expect(ran.frame).toBe(false);
  });

  it('stays on its page, opens no other, and reaches no network', async () => {
    const address = shell.page.url();
    for (const target of [
      'https://example.com/',
      'file:///etc/passwd',
      'vouch://app/other.html',
      'photo://preview/x/256',
    ]) {
      await shell.page.evaluate((to) => {
        location.href = to;
      }, target);
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(shell.page.url()).toBe(address);
    }
    expect(await inPage(() => window.open('https://example.com/') === null)).toBe(true);
    expect(shell.app.windows()).toHaveLength(1);
    const answers = await inPage(() =>
      Promise.all(
        ['https://example.com/', 'http://127.0.0.1:9/', 'file:///etc/passwd'].map((to) =>
          fetch(to).then(
            () => 'reached',
            () => 'refused',
          ),
        ),
      ),
    );
    expect(answers).toEqual(['refused', 'refused', 'refused']);
    // The same without the page's policy in the way.
    const fromMain = await shell.app.evaluate(async ({ session }) => {
      const outcome = await session.defaultSession.fetch('http://127.0.0.1:9/').then(() => 'reached', String);
      return outcome;
    });
    expect(fromMain).toContain('ERR_BLOCKED_BY_CLIENT');
  });

  it('grants no permission', async () => {
    expect(await inPage(async () => (await navigator.permissions.query({ name: 'geolocation' })).state)).toBe('denied');
    const camera = await inPage(() =>
      navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => 'granted',
        (e: Error) => e.name,
      ),
    );
    expect(camera).not.toBe('granted');
  });

  it('refuses every photo address but previews of known photos', async () => {
    const addresses = [
      `photo://preview/${unknownPhoto}/256`,
      `photo://preview/${unknownPhoto}/512`,
      'photo://preview/../../../../etc/passwd/256',
      'photo://preview/%2e%2e%2f%2e%2e%2fetc%2fpasswd/256',
      'photo://file/etc/passwd',
      'vouch://app/../../package.json',
      'vouch://app/%2e%2e%2f%2e%2e%2fpackage.json',
      'vouch://other/index.html',
    ];
    const statuses = await shell.page.evaluate(
      (list) =>
        Promise.all(
          list.map((to) =>
            fetch(to).then(
              (answer) => answer.status,
              () => 0,
            ),
          ),
        ),
      addresses,
    );
    for (const status of statuses) expect([0, 404]).toContain(status);
  });

  it('answers what is not valid with a code, on every channel', async () => {
    const codes = await shell.page.evaluate(async () => {
      const api = window.vouch as unknown as Record<
        string,
        Record<string, (input: unknown) => Promise<{ ok: boolean; error: { code: string } }>>
      >;
      const found: Record<string, string> = {};
      for (const [area, methods] of Object.entries(api)) {
        if (typeof methods === 'function') continue;
        for (const [name, call] of Object.entries(methods)) {
          const answer = await call({ nobody: 'asked', for: ['this'] });
          found[`${area}.${name}`] = answer.ok ? 'ok' : answer.error.code;
        }
      }
      return found;
    });
    expect(Object.keys(codes)).toHaveLength(Object.values(channels).flat().length);
    expect(new Set(Object.values(codes))).toEqual(new Set(['invalid_input']));
  });

  it('keeps settings, tells of them, and refuses wrong ones', async () => {
    const told = await inPage(async () => {
      const event = new Promise((resolve) => window.vouch.on('settings', resolve));
      await window.vouch.settings.set({ theme: 'light', view: { inspector: false } });
      return event;
    });
    expect(told).toMatchObject({ theme: 'light', view: { inspector: false, thumbnail: 192 } });
    expect(JSON.parse(readFileSync(join(shell.home, 'settings.json'), 'utf8'))).toMatchObject({ theme: 'light' });
    const refused = await inPage(() => window.vouch.settings.set({ theme: 'pink' } as never));
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', params: { path: 'theme' } } });
    expect(await shell.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light');
  });

  it('sends only known topics to subscribers and ends subscriptions', async () => {
    const counts = await shell.page.evaluate(async (names) => {
      let before = 0;
      let after = 0;
      const end = window.vouch.on('settings', () => before++);
      window.vouch.on('nobody' as 'settings', () => after++);
      await window.vouch.settings.set({ view: { thumbnail: 200 } });
      while (before === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      end();
      await window.vouch.settings.set({ view: { thumbnail: 210 } });
      await window.vouch.settings.get();
      return { before, after, names: names.length };
    }, topics);
    expect(counts).toEqual({ before: 1, after: 0, names: topics.length });
  });

  it('is the only one on its home', async () => {
    const { executablePath, args, env } = await shell.app.evaluate(({ app }) => ({
      executablePath: process.execPath,
      args: [...(process.argv.includes('--no-sandbox') ? ['--no-sandbox'] : []), app.getAppPath()],
      env: { DISPLAY: process.env.DISPLAY ?? '' },
    }));
    const second = spawn(executablePath, args, {
      env: { ...process.env, ...env, VOUCH_HOME: shell.home },
      stdio: 'ignore',
      timeout: patienceMs,
    });
    expect((await once(second, 'exit'))[0]).toBe(0);
    expect(shell.app.windows()).toHaveLength(1);
  });
});

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('quitting', () => {
  it('remembers the window and ends every process', async () => {
    const first = await apps.open();
    const bounds = { x: 20, y: 30, width: 1100, height: 700 };
    await first.app.evaluate(
      ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted),
      bounds,
    );
    // The display server has the last word on it, and takes its time.
    await until(
      () => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds()),
      ({ width, height }) => width === bounds.width && height === bounds.height,
    );
    const { hosts } = await until(
      () => engineNow(first.page),
      ({ status }) => status === 'ready',
    );
    await first.quit();
    await untilIs(async () => isThere(hosts.inference!.pid), false);
    const state = join(first.home, 'window.json');
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ width: 1100, height: 700, maximized: false });

    writeFileSync(state, 'not what it was');
    const again = await apps.open({ home: first.home });
    expect(existsSync(state)).toBe(true);
    await again.quit();
  });
});

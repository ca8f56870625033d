import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, fileFor } from '../../../electron/app-protocol.ts';
import { firstState, fitState, minimum } from '../../../electron/window-state.ts';
import { wordsFor } from '../../../electron/words.ts';
import { lateHandlers } from '../../../main/app/handlers/late.ts';
import type { Handlers } from '../../../main/contract/api.ts';
import en from '../../../renderer/i18n/en.json';
import zh from '../../../renderer/i18n/zh-CN.json';

describe('addresses of the page', () => {
  const folder = join('/app', 'dist', 'renderer');
  it('mean files of its folder', () => {
    expect(fileFor(folder, 'vouch://app/')).toBe(join(folder, 'index.html'));
    expect(fileFor(folder, 'vouch://app/assets/a%20b.js?v=1')).toBe(join(folder, 'assets', 'a b.js'));
  });
  it.each([
    'vouch://app/../../package.json',
    'vouch://app/%2e%2e/%2e%2e/package.json',
    'vouch://app/..%2f..%2fpackage.json',
    'vouch://app/..%5c..%5cpackage.json',
    'vouch://app/a%00.js',
    'vouch://app/%ff.js',
    'vouch://other/index.html',
    'file:///app/dist/renderer/index.html',
    'vouch://app/secret.db',
    'vouch://app/assets',
  ])('or nothing: %s', (address) => {
    const file = fileFor(folder, address);
    expect(file === null || file.startsWith(`${folder}/`)).toBe(true);
    expect(file).not.toBe('/app/package.json');
  });
  it('come with a policy without exceptions', () => {
    expect(contentSecurityPolicy).toMatch(/^default-src 'none'/);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/);
  });
});

describe('the place of the window', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: 0, width: 1280, height: 1024 },
  ];
  it('is kept where a screen shows it', () => {
    const state = { x: 2000, y: 100, width: 1000, height: 700, maximized: true };
    expect(fitState(state, screens)).toEqual(state);
  });
  it('is forgotten where none does', () => {
    const state = { x: 9000, y: 100, width: 1000, height: 700, maximized: false };
    expect(fitState(state, screens)).toMatchObject({ x: null, y: null, width: 1000 });
  });
  it('stays between the minimum and the screens', () => {
    expect(fitState({ ...firstState, width: 10, height: 10 }, screens)).toMatchObject(minimum);
    expect(fitState({ ...firstState, width: 9999, height: 9999 }, screens)).toMatchObject({
      width: 1920,
      height: 1080,
    });
  });
});

describe('words of the shell', () => {
  it('follow the setting, else the system, and name screens as the window does', () => {
    expect(wordsFor('system', 'zh-TW').quit).not.toBe(wordsFor('system', 'de').quit);
    expect(wordsFor('en', 'zh-CN')).toBe(wordsFor('system', 'en-GB'));
    const [english, chinese] = [wordsFor('en', 'en'), wordsFor('zh-CN', 'en')];
    expect(chinese.progress).toContain('{done}');
    expect(chinese.progress).toContain('{found}');
    const same = Object.keys(english).filter((key) => english[key as 'quit'] === chinese[key as 'quit']);
    expect(same).toEqual(['idle']);
    expect(english.screens).toEqual(en.screen);
    expect(chinese.screens).toEqual(zh.screen);
  });
});

describe('handlers that wait for the core', () => {
  it('answer once it has opened', async () => {
    let open: (handlers: Pick<Handlers, 'runs'>) => void = () => undefined;
    const core = new Promise<Pick<Handlers, 'runs'>>((resolve) => (open = resolve));
    const late = lateHandlers(['runs'], () => core);
    const answer = late.runs.current(undefined, { signal: new AbortController().signal });
    open({ runs: { current: async () => null } });
    expect(await answer).toBeNull();
  });
  it('fail as it failed to', async () => {
    const late = lateHandlers(['runs'], () => Promise.reject(new Error('store locked')));
    await expect(late.runs.current(undefined, { signal: new AbortController().signal })).rejects.toThrow(
      'store locked',
    );
  });
});

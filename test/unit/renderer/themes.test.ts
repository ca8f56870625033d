import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../main/contract/settings.ts';
import { themeAfter, themeChoices, themeOf, themeSourceOf, themes } from '../../../main/contract/themes.ts';

const tokens = readFileSync(resolve(import.meta.dirname, '../../../renderer/ui/tokens.css'), 'utf8');

/** The declarations of all blocks that a selector is among. */
const rolesOf = (selector: string): ReadonlyMap<string, string> =>
  new Map(
    [...tokens.matchAll(/([^{}]+)\{([^}]*)\}/g)]
      .filter(([, selectors]) => selectors!.split(',').some((one) => one.trim().endsWith(selector)))
      .flatMap(([, , body]) => [...body!.matchAll(/([\w-]+):\s*([^;]+);/g)].map((found) => [found[1]!, found[2]!])),
  );

describe.each(themes)('the theme $name', ({ name, native, background }) => {
  const roles = rolesOf(`[data-theme="${name}"]`);

  it('has every role, and the background and the look of its row', () => {
    expect([...roles.keys()].sort()).toEqual([...rolesOf('[data-theme="dark"]').keys()].sort());
    expect(roles.size).toBeGreaterThan(20);
    expect(roles.get('--surface')).toBe(background);
    expect(roles.get('color-scheme')).toBe(native);
  });

  it('can be chosen, and is what Electron is told', () => {
    expect(settingsSchema.parse({ theme: name }).theme).toBe(name);
    expect([themeOf(name, true).name, themeOf(name, false).name]).toEqual([name, name]);
    expect(themeSourceOf(name)).toBe(native);
  });
});

describe('themes', () => {
  it('are the system’s where it has the choice', () => {
    expect([themeOf('system', true).name, themeOf('system', false).name]).toEqual(['dark', 'light']);
    expect(themeSourceOf('system')).toBe('system');
    expect(themeChoices.at(-1)).toBe('system');
  });

  it('follow one another round', () => {
    const seen = themes.map(() => '');
    let name = themeOf('dark', true).name;
    for (const at of seen.keys()) {
      seen[at] = name;
      name = themeAfter(name);
    }
    expect(seen.sort()).toEqual(themes.map((theme) => theme.name).sort());
    expect(name).toBe('dark');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const drivers = ['test/e2e', 'build/scripts', 'build/bench'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

/** Selectors by a CSS class, which a change of style would break. */
const byClass = (source: string): readonly string[] =>
  [...source.matchAll(/(?:locator|querySelector(?:All)?|closest|waitForSelector)(?:<\w+>)?\(\s*(['"`])(.*?)\1/g)]
    .map(([, , selector]) => selector!)
    .filter((selector) => /(^|[\s\w\])(,>+~:*])\.[a-z_]/i.test(selector));

describe('whatever drives the window', () => {
  it.each(drivers)('finds things by role or test id, not by class: %s', (file) => {
    expect(byClass(readFileSync(join(root, file), 'utf8'))).toEqual([]);
  });

  it('would be caught at it', () => {
    const source = `page.locator('nav .sub'); document.querySelector<HTMLElement>('.cell'); page.locator("a:not(.b)")`;
    expect(byClass(source)).toEqual(['nav .sub', '.cell', 'a:not(.b)']);
    expect(byClass("page.locator('[role=option] img[alt=a]'); page.getByTestId('cell')")).toEqual([]);
  });
});

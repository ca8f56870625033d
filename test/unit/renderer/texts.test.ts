import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from '../../../renderer/i18n/en.json';
import zh from '../../../renderer/i18n/zh-CN.json';

type Tree = { readonly [key: string]: string | Tree };

const flat = (tree: Tree, prefix = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
const stem = (key: string) => key.replace(/_(one|other)$/, '');
const holes = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();
const english = flat(en);
const chinese = flat(zh);

describe('texts', () => {
  it('have the same keys in both languages', () => {
    expect([...new Set([...chinese.keys()].map(stem))].sort()).toEqual(
      [...new Set([...english.keys()].map(stem))].sort(),
    );
  });

  it('have every plural form that each language needs', () => {
    const wanted = (locale: string) => new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const [texts, locale] of [
      [english, 'en'],
      [chinese, 'zh-CN'],
    ] as const)
      for (const key of texts.keys())
        if (stem(key) !== key)
          for (const form of wanted(locale))
            expect(texts.has(`${stem(key)}_${form}`), `${stem(key)}_${form}`).toBe(true);
  });

  it('fill the same holes in both languages', () => {
    for (const [key, text] of chinese) {
      const other = english.get(key) ?? english.get(`${stem(key)}_other`);
      expect(holes(text), key).toEqual(holes(other ?? ''));
    }
  });

  it('are translated, but for names and signs', () => {
    const alike = [...chinese].filter(([key, text]) => english.get(key) === text).map(([key]) => key);
    expect(alike.sort()).toEqual(
      [
        'engine.p50',
        'engine.p95',
        'language.en',
        'language.zh-CN',
        'photo.zoom',
        'review.atLeast',
        'statements.placeholder',
        'statements.thresholdPair',
      ].sort(),
    );
  });
});

const root = resolve(import.meta.dirname, '../../../renderer');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

/** What stands between tags, or in an attribute that people read or hear. */
const spokenAttributes = 'aria-label|title|placeholder|label|alt|aria-description|text|hint';
const bareWords = (source: string): readonly string[] => {
  const code = source.replace(/\{?\/\*[\s\S]*?\*\/\}?/g, '').replace(/^\s*\/\/.*$/gm, '');
  const between = [
    ...code.matchAll(/(?<=[\w"'}/\])]\s*)>\s*([^<>{}();=&|?]*[A-Za-z\u4e00-\u9fff]{2}[^<>{}();=&|?]*)\s*<[/\w]/g),
  ];
  const attributes = [
    ...code.matchAll(new RegExp(`\\s(?:${spokenAttributes})=(?:"([^"]*[A-Za-z]{2}[^"]*)"|\\{'([^']*)'\\})`, 'g')),
  ];
  return [...between.map((match) => match[1]!.trim()), ...attributes.map((match) => match[1] ?? match[2]!)];
};

describe('screens', () => {
  it('say nothing that has no key, but the name of the app', () => {
    const found = sources
      .filter(([file]) => file.endsWith('.tsx'))
      .flatMap(([file, source]) => bareWords(source).map((words) => `${file}: ${words}`));
    expect(found).toEqual(['frame/rail.tsx: Vouch']);
  });

  it('would be caught saying it', () => {
    expect(bareWords('const A = () => <p>\n  Hello there\n</p>;')).toEqual(['Hello there']);
    expect(bareWords('<input placeholder="Type here" />')).toEqual(['Type here']);
    expect(bareWords(`<b title={'Look'} className="button">{t('x.y')}</b>`)).toEqual(['Look']);
  });

  it('use every text, and only texts that are there', () => {
    const code = sources.map(([, source]) => source).join('\n');
    const quoted = new Set([...code.matchAll(/'([a-zA-Z][\w-]*(?:\.[\w-]+)*)'/g)].map((match) => match[1]!));
    const patterns = [...code.matchAll(/`([a-zA-Z]+(?:\.[\w-]+)*\.)\$\{[^}]*\}([\w.-]*)`/g)].map(
      (match) => [match[1]!, match[2]!] as const,
    );
    const isUsed = (key: string) =>
      quoted.has(key) || patterns.some(([start, end]) => key.startsWith(start) && key.endsWith(end));
    expect([...new Set([...english.keys()].map(stem))].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('take colours from the roles alone', () => {
    const styles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.css') && !file.endsWith('tokens.css'),
    );
    for (const file of styles)
      expect(readFileSync(join(root, file), 'utf8').match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/gi), file).toBeNull();
    for (const [file, source] of sources)
      expect(source.match(/['"`]#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/gi), file).toBeNull();
  });
});

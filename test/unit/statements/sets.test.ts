import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatementSet } from '../../../main/contract/statement.ts';
import { readStatementSet, writeStatementSet } from '../../../main/statements/sets.ts';

const full = `# my set
name: Animals
statements:
  - text: a dog
    tag: dog
    yes: 0.8
    no: 0.9
    flag: yes
    note: the subject, not a picture of one
  - text: "no dog"
    tag: dog-free
  - { text: 一只猫 }
`;

describe('a statement set', () => {
  it('is read with all its fields', () => {
    expect(readStatementSet(full, 'animals.yaml')).toEqual({
      ok: true,
      value: {
        name: 'Animals',
        statements: [
          { text: 'a dog', tag: 'dog', yes: 0.8, no: 0.9, flag: 'yes', note: 'the subject, not a picture of one' },
          { text: 'no dog', tag: 'dog-free' },
          { text: '一只猫' },
        ],
      },
    });
  });

  it.each([
    ['an unknown field', full.replace('    tag: dog\n', '    tagg: dog\n'), 5, 'statements[0].tagg', 'no field "tagg"'],
    ['a field of another set', `title: x\n${full}`, 1, 'title', 'no field "title"'],
    ['no name', full.replace('name: Animals\n', ''), 2, 'name', 'is missing'],
    ['a threshold out of range', full.replace('0.9', '1.9'), 7, 'statements[0].no', 'at most 1'],
    ['a threshold under a half', full.replace('0.8', '0.2'), 6, 'statements[0].yes', 'at least 0.5'],
    ['a threshold in words', full.replace('0.8', 'high'), 6, 'statements[0].yes', 'must be a number'],
    ['another flag', full.replace('flag: yes', 'flag: maybe'), 8, 'statements[0].flag', 'one of yes, no'],
    ['no text', full.replace('text: a dog', 'text: " "'), 4, 'statements[0].text', 'is empty'],
    ['a number for a text', full.replace('text: a dog', 'text: 3'), 4, 'statements[0].text', 'must be text'],
    ['a list of plain texts', 'name: x\nstatements:\n  - a dog\n', 3, 'statements[0]', 'a mapping'],
    ['a list at the top', '- a dog\n', 1, '', 'a mapping'],
    ['the same text twice', full.replace('"no dog"', 'A  Dog'), 10, 'statements[1].text', 'the statement on line 4'],
    ['a key twice', full.replace('    tag: dog\n', '    tag: dog\n    tag: cat\n'), 6, '', 'unique'],
    ['broken YAML', 'name: "x\nstatements: []\n', 3, '', 'quote'],
  ])('with %s is refused, with line and field', (_, yaml, line, field, problem) => {
    expect(readStatementSet(yaml, 'a.yaml')).toMatchObject({
      ok: false,
      error: {
        code: 'set_invalid',
        params: { file: 'a.yaml', line, field, problem: expect.stringContaining(problem) },
      },
    });
  });

  it.each(['', '# nothing\n', 'name: x\nstatements: []\n', 'name: x\nstatements:\n'])(
    'without statements is empty: %j',
    (yaml) => {
      expect(readStatementSet(yaml, 'a.yaml')).toMatchObject({
        ok: false,
        error: { code: 'set_empty', params: { name: 'a.yaml' } },
      });
    },
  );

  it('does not blow up on aliases of aliases', () => {
    const layers = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n');
    expect(readStatementSet(`a0: &a0 [x, x]\n${layers}\n`, 'a.yaml').ok).toBe(false);
  });

  it('is read back as it was written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((s) => s.trim() !== '');
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const side = optional(fc.double({ min: 0.5, max: 1, noNaN: true }));
    const entry = fc.record(
      {
        text,
        tag: text,
        yes: side,
        no: side,
        flag: optional(fc.constantFrom('yes' as const, 'no' as const)),
        note: fc.string({ maxLength: 40 }),
      },
      { requiredKeys: ['text'] },
    );
    const sets = fc.record({ name: text, statements: fc.array(entry, { minLength: 1, maxLength: 5 }) });
    fc.assert(
      fc.property(sets, (set) => {
        const once = readStatementSet(writeStatementSet(set as StatementSet), 'x');
        if (!once.ok) {
          expect(once.error).toMatchObject({ params: { problem: expect.stringContaining('says the same') } });
          return;
        }
        expect(once.value.statements.map((one) => one.text)).toEqual(set.statements.map((one) => one.text.trim()));
        expect(readStatementSet(writeStatementSet(once.value), 'x')).toEqual(once);
      }),
    );
  });
});

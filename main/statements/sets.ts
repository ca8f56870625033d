/** Statement sets as people write them, in YAML: errors name the line and the field. Pure. */
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, stringify } from 'yaml';
import type { z } from 'zod';
import { type VouchError, vouchError } from '../contract/errors.ts';
import type { Result } from '../contract/result.ts';
import { type StatementSet, statementSetSchema } from '../contract/statement.ts';

type Path = readonly PropertyKey[];

/** `statements[2].yes`, counting from 0 as programs do. */
const fieldOf = (path: Path): string =>
  path.reduce<string>(
    (field, key) =>
      typeof key === 'number' ? `${field}[${key}]` : field === '' ? String(key) : `${field}.${String(key)}`,
    '',
  );

/** Offset of a key of a mapping, else of the value at the path, else of what holds it. */
const offsetOf = (document: Document, path: Path): number => {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const key = path.at(-1);
  if (key !== undefined && isMap(parent)) {
    const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
    if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
};

const problemOf = (issue: z.core.$ZodIssue): Readonly<{ path: Path; problem: string }> => {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const [key = ''] = issue.keys;
      return { path: [...issue.path, key], problem: `there is no field "${key}"` };
    }
    case 'invalid_type':
      return {
        path: issue.path,
        problem: issue.input === undefined ? 'is missing' : `must be ${words[issue.expected] ?? issue.expected}`,
      };
    case 'too_small':
      return {
        path: issue.path,
        problem: issue.origin === 'string' ? 'is empty' : `must be at least ${issue.minimum}`,
      };
    case 'too_big':
      return {
        path: issue.path,
        problem: `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`,
      };
    case 'invalid_value':
      return { path: issue.path, problem: `must be one of ${issue.values.map(String).join(', ')}` };
    default:
      return { path: issue.path, problem: issue.message };
  }
};
const words: Readonly<Record<string, string>> = {
  object: 'a mapping of fields',
  array: 'a list',
  string: 'text',
  number: 'a number',
};

/** Two statements are the same when only case and spaces differ. */
const sameness = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase();

export type SetError = VouchError<'set_invalid' | 'set_empty'>;

/** `file` is only named in errors. */
export const readStatementSet = (yaml: string, file: string): Result<StatementSet, SetError> => {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const invalid = (offset: number, field: string, problem: string) =>
    ({
      ok: false,
      error: vouchError('set_invalid', { file, line: Math.max(1, lines.linePos(offset).line), field, problem }),
    }) as const;
  const empty = { ok: false, error: vouchError('set_empty', { name: file }) } as const;

  const [broken] = document.errors;
  if (broken) return invalid(broken.pos[0], '', broken.message);
  if (document.contents === null) return empty;
  // Aliases are bounded by the library, so that a small file cannot grow without end.
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return invalid(0, '', error instanceof Error ? error.message : String(error));
  }
  const parsed = statementSetSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const { path, problem } = problemOf(issue);
    const isEmptyList = fieldOf(path) === 'statements' && (issue.code === 'too_small' || issue.input === null);
    return isEmptyList ? empty : invalid(offsetOf(document, path), fieldOf(path), problem);
  }
  const seen = new Map<string, number>();
  for (const [i, { text }] of parsed.data.statements.entries()) {
    const first = seen.get(sameness(text));
    if (first !== undefined) {
      const path = ['statements', i, 'text'];
      const firstLine = lines.linePos(offsetOf(document, ['statements', first, 'text'])).line;
      return invalid(offsetOf(document, path), fieldOf(path), `says the same as the statement on line ${firstLine}`);
    }
    seen.set(sameness(text), i);
  }
  return { ok: true, value: parsed.data };
};

/** YAML that readStatementSet reads back as the same set. */
export const writeStatementSet = (set: StatementSet): string =>
  stringify(statementSetSchema.parse(set), { lineWidth: 0 });

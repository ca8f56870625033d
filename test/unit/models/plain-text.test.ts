import { describe, expect, test } from 'vitest';
import { plainText } from '../../../models/adapters/plain-text.ts';

describe('plain text', () => {
  test.each(["'", '’', '‘', 'ʼ', '´', '`', '＇', '′', '‛'])('an apostrophe typed as %s', (sign) =>
    expect(plainText(`there isn${sign}t a boat`)).toBe("there isn't a boat"),
  );
  test.each([
    ['there arent any boats', "there aren't any boats"],
    ['It Doesnt show a boat', "It doesn't show a boat"],
    ['I cannot see a boat', "I can't see a boat"],
  ])('%s', (text, plain) => expect(plainText(text)).toBe(plain));
  test.each(['1. a boat', '12) a boat', '(3) a boat', 'b) a boat', '- a boat', '• a boat', '2: a boat'])(
    'the mark of a list in "%s"',
    (text) => expect(plainText(text)).toBe('a boat'),
  );
  test.each(['2 boats', '2.5 boats', '3D glasses', 'a-frame house', "the '90s", '‘boat’'])('%s stays', (text) =>
    expect(plainText(text)).toBe(text),
  );
});

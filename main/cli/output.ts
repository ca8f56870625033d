/** What the command line prints: documents and results on stdout, everything else on stderr. */
import type { z } from 'zod';

/** Prints the command's one JSON document, checked against its published shape. */
export const printDocument = <S extends z.ZodType>(schema: S, document: z.input<S>): void => {
  process.stdout.write(`${JSON.stringify(schema.parse(document))}\n`);
};

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

export const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

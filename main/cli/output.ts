/** What the command line prints: documents and results on stdout, everything else on stderr. */
import type { z } from 'zod';
import type { VouchError } from '../contract/error.ts';

/** Ends a command with an error that a person can do something about. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly error: VouchError;
  constructor(error: VouchError) {
    super(error.code);
    this.error = error;
  }
}

export const raise = (error: VouchError): never => {
  throw new CommandError(error);
};

/** The value of a result, or the end of the command. */
export const expectOk = <T>(
  result: Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; error: VouchError }>,
): T => (result.ok ? result.value : raise(result.error));

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

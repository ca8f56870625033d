/** The secret by which the local server knows whom it may answer. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { writeWhole } from '../files/write-whole.ts';

const tokenBytes = 32;
const wellFormed = /^[\w-]{43}$/;

/** The token kept in this file, which only its owner may read; a new one where there is none. */
export const keptToken = (file: string): string => {
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (wellFormed.test(kept)) {
      chmodSync(file, 0o600);
      return kept;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = randomBytes(tokenBytes).toString('base64url');
  writeWhole(file, `${token}\n`, 0o600);
  return token;
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an Authorization header bears the token; takes equally long whatever it says. */
export const bearsToken = (authorization: string | undefined, token: string): boolean => {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
};

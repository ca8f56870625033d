/** Labels and grades as the database keeps them: indexes into the contract's lists. */
import { type Grade, grades, type Label, labels } from '../contract/labels.ts';

export const noLabel = 255;
export const labelCode = (label: Label): number => labels.indexOf(label);
export const gradeCode = (grade: Grade): number => grades.indexOf(grade);
export const labelAt = (code: number): Label => labels[code] as Label;
export const gradeAt = (code: number): Grade => grades[code] as Grade;
export const labelOrNull = (code: number | null): Label | null => (code === null ? null : labelAt(code));

export const hashBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
export const hashText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

import type { Handlers } from '../../main/contract/api.ts';
import { failWith } from '../errors.ts';

const notYet = () => failWith('not_ready', { detail: 'quality is being built' });

export const qualityHandlers = (): Handlers['quality'] => ({ summary: notYet, risk: notYet, setRisk: notYet });
export const searchHandlers = (): Handlers['search'] => ({ byText: notYet });

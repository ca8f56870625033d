import type { EngineState } from '../../main/contract/views.ts';

const looks: Readonly<Record<EngineState['status'], string>> = {
  stopped: 'off',
  starting: 'waiting',
  ready: '',
  restarting: 'waiting',
  failed: 'failed',
};

/** A dot in the colour of the engine's status, beside the words for it. */
export const EngineDot = ({ status }: Pick<EngineState, 'status'>) => <span className={`dot ${looks[status]}`} />;

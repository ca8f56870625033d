/** One image against one statement, asked anew at each change of either. */
import { create } from 'zustand';
import type { SpotCheckView } from '../../main/contract/review.ts';
import { reportFailure } from '../data/actions.ts';
import { ApiFailure, answerOf, vouch } from '../data/call.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';
import { useUi } from '../ui-state.ts';

type SpotCheck = Readonly<{
  file: File | null;
  text: string;
  answer: SpotCheckView | null;
  failure: ApiFailure | null;
  busy: boolean;
}>;

const pauseMs = 250;
const nothing: SpotCheck = { file: null, text: '', answer: null, failure: null, busy: false };

export const useSpotCheck = create<SpotCheck>(() => nothing);
const { setState: set, getState: get } = useSpotCheck;

const imageOf = (file: File) => ({ kind: 'file' as const, path: vouch.pathOf(file) });

let timer: ReturnType<typeof setTimeout> | undefined;
let asking = 0;

const ask = async (): Promise<void> => {
  const { file, text } = get();
  if (!file || text.trim() === '') return;
  const mine = asking;
  try {
    const answer = await answerOf(vouch.review.judgeOne({ image: imageOf(file), text }));
    if (mine === asking) set({ answer, failure: null, busy: false });
  } catch (failure) {
    if (mine === asking && failure instanceof ApiFailure) set({ answer: null, failure, busy: false });
  }
};

const soon = (ms: number): void => {
  clearTimeout(timer);
  // An answer on its way is to another question by now.
  asking += 1;
  const { file, text } = get();
  const ready = file !== null && text.trim() !== '';
  set(ready ? { busy: true } : { busy: false, answer: null, failure: null });
  if (ready) timer = setTimeout(() => void ask(), ms);
};

export const chooseImage = (file: File): void => {
  set({ file, answer: null, failure: null });
  soon(0);
};

export const setText = (text: string): void => {
  set({ text });
  soon(pauseMs);
};

export const discard = (): void => {
  clearTimeout(timer);
  asking += 1;
  set(nothing);
};

/** The photo and the statement enter the library. */
export const keep = async (): Promise<void> => {
  const { file, text } = get();
  if (!file) return;
  try {
    const { photoId } = await answerOf(vouch.review.keep({ image: imageOf(file), text }));
    toast({
      title: i18n.t('try.kept'),
      action: {
        text: i18n.t('try.showKept'),
        run: () => {
          useUi.getState().showResults({});
          useUi.setState({ photoId, open: true });
        },
      },
    });
    discard();
  } catch (failure) {
    reportFailure(failure);
  }
};

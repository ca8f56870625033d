/** One image against one statement, asked anew at each change of either. */
import { create } from 'zustand';
import type { SpotCheckView } from '../../main/contract/review.ts';
import { VouchFailure } from '../../main/failure.ts';
import { reportFailure } from '../data/actions.ts';
import { answerOf, vouch } from '../data/call.ts';
import { i18n } from '../i18n/index.ts';
import { toast } from '../ui/toast.tsx';
import { useUi } from '../ui-state.ts';

type Timer = ReturnType<typeof setTimeout>;
type Question = Readonly<{
  file: File | null;
  text: string;
  /** Counts the changes of the question: the answer to an earlier one is dropped. */
  asking: number;
  /** Runs until typing rests. */
  timer: Timer | undefined;
}>;
type SpotCheck = Question &
  Readonly<{
    answer: SpotCheckView | null;
    failure: VouchFailure | null;
    busy: boolean;
  }>;

const pauseMs = 250;
const nothing = { file: null, text: '', timer: undefined, answer: null, failure: null, busy: false };

export const useSpotCheck = create<SpotCheck>(() => ({ ...nothing, asking: 0 }));
const { setState: set, getState: get } = useSpotCheck;

const imageOf = (file: File) => ({ kind: 'file' as const, path: vouch.pathOf(file) });
const isWhole = ({ file, text }: Question): boolean => file !== null && text.trim() !== '';

const ask = async (): Promise<void> => {
  const { file, text, asking } = get();
  if (!file) return;
  const isOver = () => asking !== get().asking;
  try {
    const answer = await answerOf(vouch.review.judgeOne({ image: imageOf(file), text }));
    if (!isOver()) set({ answer, failure: null, busy: false });
  } catch (failure) {
    if (!isOver() && failure instanceof VouchFailure) set({ answer: null, failure, busy: false });
  }
};

/** Changes the question, and asks it once it is whole and has rested for so long. */
const change = (part: Partial<SpotCheck>, ms: number): void => {
  clearTimeout(get().timer);
  set(({ asking }) => ({ ...part, asking: asking + 1 }));
  if (isWhole(get())) set({ busy: true, timer: setTimeout(() => void ask(), ms) });
  else set({ busy: false, answer: null, failure: null });
};

export const chooseImage = (file: File): void => change({ file, answer: null, failure: null }, 0);
export const setText = (text: string): void => change({ text }, pauseMs);
export const discard = (): void => change(nothing, 0);

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
        run: () => useUi.getState().showResults({ filter: {}, photoId }),
      },
    });
    discard();
  } catch (failure) {
    reportFailure(failure);
  }
};

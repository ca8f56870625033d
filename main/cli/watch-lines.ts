/** Prints what happens while folders are watched, in the order in which it did: as JSON Lines, or in words. */
import { type WatchLine, watchLineSchema } from '../contract/cli.ts';
import { note, print, printDocument } from './output.ts';

export type WatchLines = Readonly<{
  /** Lines that are still being found out; the next ones wait for them. */
  put: (find: () => Promise<readonly WatchLine[]>) => void;
  /** Resolves when everything is printed. */
  end: () => Promise<void>;
}>;

const clock = (at: string): string => new Date(at).toLocaleTimeString('en-GB');

const inWords = (line: WatchLine): string => {
  switch (line.event) {
    case 'folder':
      return `${line.path}: ${line.state}.${line.fix ? ` ${line.fix}` : ''}`;
    case 'photo':
      return `${line.path}: ${line.verdicts.map(({ effectiveLabel, statement }) => `${effectiveLabel.toUpperCase()} ${statement}`).join(', ')}`;
    case 'quarantined':
      return `${line.path}: could not be judged. ${line.reason}`;
    case 'gone':
      return `${line.path}: gone.`;
    case 'done': {
      const { judged, quarantined, wantReview } = line.photos;
      const photos = `${judged} ${judged === 1 ? 'photo' : 'photos'}`;
      const wants = `${wantReview} ${wantReview === 1 ? 'wants' : 'want'} review`;
      return `${photos}: ${wants}${quarantined > 0 ? `, ${quarantined} could not be judged` : ''}.`;
    }
    case 'failed':
      return `${line.error} Trying again.`;
  }
};

export const openWatchLines = (json: boolean): WatchLines => {
  let turn: Promise<void> = Promise.resolve();
  const say = (line: WatchLine) => {
    if (json) printDocument(watchLineSchema, line);
    else if (line.event === 'failed' || line.event === 'folder') note(`${clock(line.at)}  ${inWords(line)}`);
    else print(`${clock(line.at)}  ${inWords(line)}`);
  };
  return {
    put: (find) => {
      turn = turn.then(find).then(
        (lines) => {
          for (const line of lines) say(line);
        },
        (error: unknown) => note(`vouch: ${String(error)}`),
      );
    },
    end: () => turn,
  };
};

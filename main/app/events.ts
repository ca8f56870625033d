/**
 * What has changed in the app, told once and heard by whoever it concerns: tags, search, digest, windows, the command
 * line. How the work itself fares is told by the telemetry.
 */
import { EventEmitter } from 'node:events';
import type { Events } from '../contract/api.ts';
import type { WatchState } from '../contract/folder.ts';
import type { QuarantineReason } from '../contract/photo.ts';
import type { DecidingProgress } from '../contract/review.ts';
import type { EngineState, Run } from '../contract/views.ts';
import type { EngineEvent } from '../inference/core/engine-types.ts';
import type { FinishedWork } from '../library/work-digest.ts';

export type QuarantinedFile = Readonly<{ path: string; reason: QuarantineReason }>;

export type AppEvents = {
  /** Photos have new verdicts, or lie at a new place. */
  judged: [photoIds: readonly string[]];
  /** Files could not be judged, which are not known as such yet. */
  quarantined: [files: readonly QuarantinedFile[]];
  /** Files are not there any more. */
  gone: [paths: readonly string[]];
  /** A watched folder is followed otherwise than before. */
  folderState: [folder: string, state: WatchState];
  /** Watching or tagging failed at something, and tries again. */
  failed: [error: unknown];
  /** No more was to be done for a while. */
  workFinished: [work: FinishedWork];

  /** At most ten a second while a run is active, and at each change of its status. */
  runChanged: [run: Run];
  /** A run has ended, in whatever way. */
  runEnded: [run: Run];

  /** Verdicts of many photos may have changed. */
  verdictsChanged: [];
  /** Decisions or flags were made on these photos; null: on many. */
  queuesChanged: [photoIds: readonly string[] | null];
  statementsChanged: [];
  foldersChanged: [];
  quarantineChanged: [];
  tagsChanged: [];

  /** The pack at work is another one, or was opened. */
  judgingOpened: [];
  engineEvent: [event: EngineEvent];
  engine: [state: EngineState];

  /** How far something long is. */
  bench: [progress: Events['bench']];
  search: [progress: Events['search']];
  export: [progress: Events['export']];
  deciding: [progress: DecidingProgress | null];
};

export type AppBus = EventEmitter<AppEvents>;

export const openEvents = (): AppBus => new EventEmitter<AppEvents>().setMaxListeners(0);

/** Photos of one line whose callers were told that they are not done, but whose results may still come. */

import { type HostEnd, HostLost } from '../../hosts/isolation.ts';
import type { JobReply } from './inference-client.ts';

export type LateResults = Readonly<{
  /** The result of a job that missed its time limit; rejects when its host goes first. */
  arrival: (job: number) => Promise<JobReply>;
  arrived: (reply: JobReply) => void;
  /** The host is gone, and all that was still in it. */
  lost: (how: HostEnd) => void;
  full: () => boolean;
}>;

const most = 1024;

export const awaitLateResults = (): LateResults => {
  const waiting = new Map<number, Readonly<{ arrived: (reply: JobReply) => void; lost: (how: HostEnd) => void }>>();
  return {
    arrival: (job) =>
      new Promise((arrived, reject) => waiting.set(job, { arrived, lost: (how) => reject(new HostLost(how)) })),
    arrived(reply) {
      waiting.get(reply.job)?.arrived(reply);
      waiting.delete(reply.job);
    },
    lost(how) {
      for (const { lost } of waiting.values()) lost(how);
      waiting.clear();
    },
    full: () => waiting.size >= most,
  };
};

/** What is told of hosts, whoever runs them. */
import type { HostEnd } from './isolation.ts';

export type HostKind = 'image' | 'inference';

export type HostEvent =
  | Readonly<{ kind: 'host_down'; host: HostKind; how: HostEnd; stderr: string }>
  /** A host held more memory than it may, and is replaced. */
  | Readonly<{ kind: 'over_memory'; host: HostKind; rssBytes: number }>;

/** A host as it is now. */
export type HostFigures = Readonly<{ pid: number | undefined; restarts: number; rssBytes: number | null }>;

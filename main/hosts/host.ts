/**
 * A host is a process of ours that may crash or hang without taking the core along. The core starts one through a
 * `SpawnHost`: child_process under plain Node, utilityProcess in the desktop shell.
 */
export type HostHandle<Request, Reply> = Readonly<{
  pid: number | undefined;
  post: (request: Request) => void;
  onReply: (listener: (reply: Reply) => void) => void;
  /** Called once, after the last reply. */
  onExit: (listener: (how: Readonly<{ code: number | null; signal: string | null; stderr: string }>) => void) => void;
  kill: () => void;
}>;

export type SpawnHost = <Request, Reply>(
  entry: string,
  options: Readonly<{
    name: string;
    env?: Readonly<Record<string, string>>;
    /** Flags of V8; only a plain Node takes them. */
    v8Flags?: readonly string[];
  }>,
) => HostHandle<Request, Reply>;

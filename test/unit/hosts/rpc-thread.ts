/** A thread that answers what rpc.test.ts asks. */
import { parentPort } from 'node:worker_threads';
import { answerCalls, type Handlers } from '../../../main/hosts/rpc.ts';

export type TestCalls = Readonly<{
  double: (n: number) => number;
  fail: (why: string) => never;
  /** Tells 1 to `to`, each only once the one before has been dealt with. */
  count: (to: number, tell: (n: number) => void) => string;
  /** Answers with how many it told before it was called off. */
  untilCalledOff: (_: null, tell: (n: number) => void) => number;
  /** Answers with the buffer it was given, and tells one. Neither is left here. */
  passOn: (given: ArrayBuffer, tell: (made: ArrayBuffer) => void) => ArrayBuffer;
  left: (_: null) => readonly number[];
  /** A function cannot be sent. */
  unsendable: (_: null) => unknown;
  exit: (_: null) => null;
  crash: (why: string) => null;
}>;

let lately: readonly ArrayBuffer[] = [];
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const handlers: Handlers<TestCalls> = {
  double: async (n) => {
    // Later ones would overtake earlier ones if they did not wait for their turn.
    await new Promise((resolve) => setTimeout(resolve, 20 - n));
    return 2 * n;
  },
  fail: (why) => {
    throw new Error(why);
  },
  count: async (to, { tell, signal }) => {
    for (let i = 1; i <= to && !signal.aborted; i += 1) await tell(i);
    return signal.aborted ? 'called off' : 'done';
  },
  untilCalledOff: async (_, { tell, signal }) => {
    let told = 0;
    while (!signal.aborted) {
      told += 1;
      tell(told);
      await nextTurn();
    }
    return told;
  },
  passOn: async (given, { tell, handOver }) => {
    const told = new ArrayBuffer(4);
    lately = [given, told];
    await tell(told, [told]);
    handOver([given]);
    return given;
  },
  left: () => lately.map(({ byteLength }) => byteLength),
  unsendable: () => () => undefined,
  exit: () => process.exit(0),
  crash: (why) => {
    setImmediate(() => {
      throw new Error(why);
    });
    return new Promise(() => undefined);
  },
};

answerCalls<TestCalls>(parentPort!, {
  handlerOf: (name) => handlers[name],
  toFault: (thrown) => (thrown as Error).message,
  inOrder: process.argv.includes('in-order'),
});

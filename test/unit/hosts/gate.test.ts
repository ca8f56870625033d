import { describe, expect, it } from 'vitest';
import { createGate } from '../../../main/hosts/gate.ts';

describe('gate', () => {
  it('lets in no more than its bound: who is waited for first, then bulk work, then what is tried again', async () => {
    let bound = 1;
    const gate = createGate(() => bound);
    const order: string[] = [];
    const leave = await gate.enter();
    const retry = gate.enter({ priority: 'retry' }).finally(() => order.push('retry'));
    const bulk = gate.enter().finally(() => order.push('bulk'));
    const interactive = gate.enter({ priority: 'interactive' }).finally(() => order.push('interactive'));
    expect([gate.inside(), gate.waiting()]).toEqual([1, 3]);
    leave();
    leave();
    const leaveFirst = await interactive;
    expect([gate.inside(), gate.waiting()]).toEqual([1, 2]);
    bound = 3;
    gate.widen();
    await Promise.all([bulk, retry]);
    expect(order).toEqual(['interactive', 'bulk', 'retry']);
    leaveFirst();
    expect(gate.inside()).toBe(2);
  });

  it('turns away whoever gives up, and everybody once closed', async () => {
    const gate = createGate(() => 0);
    const abort = new AbortController();
    const impatient = gate.enter({ signal: abort.signal });
    const patient = gate.enter();
    abort.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    gate.close(new Error('closed'));
    await expect(patient).rejects.toThrow('closed');
    await expect(gate.enter()).rejects.toThrow('closed');
    expect(gate.waiting()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { createGate } from '../../../main/hosts/gate.ts';

describe('gate', () => {
  it('lets in no more than its bound, the urgent first', async () => {
    let bound = 1;
    const gate = createGate(() => bound);
    const order: string[] = [];
    const leave = await gate.enter();
    const plain = gate.enter().finally(() => order.push('plain'));
    const urgent = gate.enter({ urgent: true }).finally(() => order.push('urgent'));
    expect([gate.inside(), gate.waiting()]).toEqual([1, 2]);
    leave();
    leave();
    const leaveUrgent = await urgent;
    expect([gate.inside(), gate.waiting()]).toEqual([1, 1]);
    bound = 2;
    gate.widen();
    await plain;
    expect(order).toEqual(['urgent', 'plain']);
    leaveUrgent();
    expect(gate.inside()).toBe(1);
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

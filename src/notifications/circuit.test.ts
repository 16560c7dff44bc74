import { describe, expect, it } from 'vitest';
import { Circuit } from './circuit.ts';

const fail = (circuit: Circuit, times: number, nowMs = 0): void => {
  for (let count = 0; count < times; count++) circuit.leave('a', 'failed', nowMs);
};

describe('a receiver', () => {
  it('is tried at once while it fails only now and then', () => {
    const circuit = new Circuit();
    fail(circuit, 4);
    expect(circuit.enter('a', 0)).toBe(0);
    circuit.leave('a', 'succeeded', 0);
    fail(circuit, 4);
    expect(circuit.enter('a', 0)).toBe(0);
  });

  it('rests after five failures in a row, and no other rests with it', () => {
    const circuit = new Circuit(() => 0);
    fail(circuit, 5, 1000);
    expect(circuit.enter('a', 1000)).toBe(5000);
    expect(circuit.enter('a', 5999)).toBe(1);
    expect(circuit.enter('b', 1000)).toBe(0);
  });

  it('is tried by one delivery after its rest, and by all once that succeeded', () => {
    const circuit = new Circuit(() => 0);
    fail(circuit, 5);
    expect(circuit.enter('a', 5000)).toBe(0);
    expect(circuit.enter('a', 5000)).toBe(2000);
    circuit.leave('a', 'succeeded', 5100);
    expect([circuit.enter('a', 5100), circuit.enter('a', 5100)]).toEqual([0, 0]);
  });

  it('rests longer each time it fails again, up to five minutes', () => {
    const circuit = new Circuit(() => 0);
    fail(circuit, 5);
    const rests: number[] = [];
    let nowMs = 5000;
    for (let count = 0; count < 9; count++) {
      expect(circuit.enter('a', nowMs)).toBe(0);
      circuit.leave('a', 'failed', nowMs);
      const restMs = circuit.enter('a', nowMs);
      rests.push(restMs / 1000);
      nowMs += restMs;
    }
    expect(rests).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300]);
  });

  it('is not blamed for a try that did not take place, nor twice for those that failed together', () => {
    const circuit = new Circuit(() => 0);
    fail(circuit, 12);
    expect(circuit.enter('a', 0)).toBe(5000);
    expect(circuit.enter('a', 5000)).toBe(0);
    circuit.leave('a', 'untold', 5000);
    expect(circuit.enter('a', 5000)).toBe(0);
  });
});

import { expect, it } from 'vitest';
import type { Machine } from '../calls/control/call-control.ts';
import { askMachines } from './machines.ts';
import { readQuestion } from './node-question.ts';
import { NodeServer } from './node-server.ts';
import type { Peer } from './peers.ts';

const machine = (freeBytes: number | null): Machine => ({
  recordFailure: null,
  disk: { freeBytes, reserveBytes: 1, isLow: false },
  certificate: { expiresAtMs: 5 },
});

it('the machines of all nodes are asked, those without telephones too, and silent ones are named', async () => {
  const server = new NodeServer({
    own: () => null,
    machine: async () => machine(2),
    soundPart: async () => null,
    isDraining: () => false,
  });
  const peers = ['b', 'c'].map((id) => ({ id, run: id, url: '' }));
  const ask = async ({ id }: Peer, asked: object): Promise<unknown> => {
    const question = readQuestion(JSON.parse(JSON.stringify(asked)));
    if (id === 'c' || !question) throw new Error('silent');
    return JSON.parse(JSON.stringify(await server.answer('a', question)));
  };
  const found = await askMachines({
    id: 'a',
    own: async () => machine(null),
    others: { peers: { live: peers }, client: { ask } },
  });
  server.close();
  expect(found.unanswered).toEqual(['c']);
  expect(found.machines.map(({ node, disk }) => [node, disk.freeBytes])).toEqual([
    ['a', null],
    ['b', 2],
  ]);
});

it('a process that is alone asks itself', async () => {
  const { machines, unanswered } = await askMachines({ id: 'a', own: async () => machine(1), others: null });
  expect([machines.length, unanswered.length]).toEqual([1, 0]);
});

it('a clock that is off that of the node which asks is found, however long the answer takes', async () => {
  const checksOf = async (offMs: number | null, takesMs = 0) => {
    const ask = async (): Promise<unknown> => {
      const clockMs = Date.now() + (offMs ?? 0);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      return { ...machine(1), ...(offMs === null ? {} : { clockMs }) };
    };
    const peers = [{ id: 'b', run: 'b', url: '' }];
    const others = { peers: { live: peers }, client: { ask } };
    const { machines } = await askMachines({ id: 'a', own: async () => machine(1), others });
    return machines[1]?.checks?.map(({ code, values }) => [code, values]) ?? [];
  };
  expect(await checksOf(5_000)).toEqual([['clock-differs', { seconds: '5' }]]);
  expect(await checksOf(-7_000)).toEqual([['clock-differs', { seconds: '-7' }]]);
  expect(await checksOf(1_000)).toEqual([]);
  expect(await checksOf(0, 50)).toEqual([]);
  // A node of an earlier version does not say.
  expect(await checksOf(null)).toEqual([]);
});

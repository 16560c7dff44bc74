import { describe, expect, test } from 'vitest';
import { aQueue } from '../../flow/testing/samples.ts';
import type { QueuedCall, QueueEntry, QueueOrder, Queues } from '../../sharing/ports/queues.ts';
import { EstimatedQueues, NEEDED, WaitEstimates } from './wait-estimates.ts';

const MINUTE = 60_000;

describe('the time per place', () => {
  test('is known after five waits of the last hour', () => {
    let nowMs = 0;
    const estimates = new WaitEstimates({ nowMs: () => nowMs });
    for (let each = 1; each < NEEDED; each++) estimates.served('d', 2, 4 * MINUTE);
    expect(estimates.placeMs('d')).toBeNull();
    estimates.served('d', 1, 2 * MINUTE);
    expect(estimates.placeMs('d')).toBe(2 * MINUTE);
    expect(estimates.placeMs('other')).toBeNull();
    nowMs = 60 * MINUTE + 1;
    expect(estimates.placeMs('d')).toBeNull();
  });

  test('follows the last ten', () => {
    const estimates = new WaitEstimates({ nowMs: () => 0 });
    for (let each = 0; each < 10; each++) estimates.served('d', 1, 9 * MINUTE);
    for (let each = 0; each < 10; each++) estimates.served('d', 1, MINUTE);
    expect(estimates.placeMs('d')).toBe(MINUTE);
  });
});

const ORDER: QueueOrder = {
  type: 'join-queue',
  request: 1,
  node: 'department||d',
  agents: ['extension||1'],
  strategy: 'in_order',
  rules: aQueue(),
};
const AGENT = 'extension||1';

/** One queue that nodes share: the next caller is served when the agent is free. */
class OneQueue implements Partial<Queues> {
  readonly entries: (QueueEntry & { readonly call: QueuedCall })[] = [];
  isFree = false;

  join: Queues['join'] = (order, who, call) => {
    const entry = { ...who, order, call };
    this.entries.push(entry);
    if (this.isFree) call.report({ type: 'queue-turn', request: 1, agents: [AGENT] });
    else this.reportPosition(entry);
    return entry;
  };

  reportPosition: Queues['reportPosition'] = (entry) => {
    const at = this.entries.findIndex((each) => each === entry);
    this.entries[at]?.call.report({ type: 'queue-position', request: 1, position: at + 1 });
  };

  leave: Queues['leave'] = (entry) => {
    this.entries.splice(
      this.entries.findIndex((each) => each === entry),
      1,
    );
  };
}

function node(queue: OneQueue, clock: { nowMs(): number }) {
  const queues = new EstimatedQueues(queue as unknown as Queues, clock);
  const heard: (number | undefined)[] = [];
  const call: QueuedCall = {
    report: (event) => {
      if (event.type === 'queue-position') heard.push(event.estimateMs);
    },
    sharingLost: () => undefined,
  };
  const join = (place?: number): QueueEntry => {
    const who = { accountId: 'acme', callId: 'c', caller: null };
    const entry = queues.join(ORDER, place === undefined ? who : { ...who, place }, call);
    if (!entry) throw new Error('refused');
    return entry;
  };
  return { queues, heard, join, placeMs: () => queues.placeMs('acme/department||d') };
}

describe('a queue whose agent needs a minute for each caller', () => {
  test('is estimated alike by each of two nodes that have half of the callers', () => {
    let nowMs = 0;
    const clock = { nowMs: () => nowMs };
    const queue = new OneQueue();
    const nodes = [node(queue, clock), node(queue, clock)] as const;
    const waiting = Array.from({ length: 10 }, (_, index) => {
      const at = nodes[index % 2] ?? nodes[0];
      return { at, entry: at.join() };
    });
    expect(nodes[0].heard).toEqual([undefined, undefined, undefined, undefined, undefined]);
    for (const { at, entry } of waiting) {
      nowMs += MINUTE;
      at.queues.leave(entry, AGENT);
    }
    for (const at of nodes) {
      expect(at.placeMs()).toBe(MINUTE);
      at.join();
    }
    expect(nodes.map(({ heard }) => heard.at(-1))).toEqual([MINUTE, 2 * MINUTE]);
  });

  test('learns nothing from callers who hang up, call-backs, and those who are served at once', () => {
    let nowMs = 0;
    const queue = new OneQueue();
    const { queues, join, placeMs } = node(queue, { nowMs: () => nowMs });
    for (let each = 0; each < NEEDED; each++) {
      const [leaves, callback] = [join(), join(7)];
      nowMs += MINUTE;
      queues.leave(leaves, null);
      queues.leave(callback, AGENT);
      queue.isFree = true;
      queues.leave(join(), AGENT);
      queue.isFree = false;
    }
    expect(placeMs()).toBeNull();
  });
});

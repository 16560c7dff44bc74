// Two layers back to back over a lossy network: each event is reported once, and no transaction is left.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SipRequest, SipResponse } from '../message.ts';
import { VirtualNetwork } from '../testing/virtual-network.ts';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import { TransactionLayer } from './layer.ts';
import { testRequest } from './test-request.ts';
import type { Reply, ServerTransaction, TransactionUser } from './transactions.ts';

const RUNS = Number(process.env['LOSS_RUNS'] ?? 150);

interface Plan {
  readonly method: 'INVITE' | 'OPTIONS';
  readonly status: number;
  readonly ringMs: number;
  /** When the caller cancels; 0 = never. */
  readonly cancelMs: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  method: fc.constantFrom('INVITE', 'OPTIONS'),
  status: fc.constantFrom(200, 200, 302, 486, 500, 603),
  ringMs: fc.integer({ min: 0, max: 3_000 }),
  cancelMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 })),
});

const weather = fc.record({
  loss: fc.double({ min: 0, max: 0.4, noNaN: true }),
  doubles: fc.double({ min: 0, max: 0.3, noNaN: true }),
  minMs: fc.constant(1),
  maxMs: fc.integer({ min: 1, max: 800 }),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
});

/** The called side: rings, answers, repeats its 2xx until the ACK comes, and counts the requests it is notified of. */
class Callee implements TransactionUser {
  readonly notified = new Map<string, number>();
  readonly finals = new Map<string, number>();
  readonly #acknowledged = new Set<string>();
  readonly #timers: VirtualTimers;
  readonly #plans: Map<string, Plan>;

  constructor(timers: VirtualTimers, plans: Map<string, Plan>) {
    this.#timers = timers;
    this.#plans = plans;
  }

  received({ callId, method }: SipRequest, transaction: ServerTransaction): void {
    this.notified.set(callId, (this.notified.get(callId) ?? 0) + 1);
    const plan = this.#plans.get(callId);
    if (plan === undefined) return;
    if (method === 'INVITE') transaction.respond({ status: 180, toTag: callId });
    this.#timers.start(plan.ringMs, () => this.#finish(transaction, plan.status));
  }

  #finish(transaction: ServerTransaction, status: number): void {
    const { callId, method } = transaction.request;
    if (this.finals.has(callId)) return;
    this.finals.set(callId, status);
    const reply = { status, toTag: callId };
    if (method === 'INVITE' && status < 300) this.#repeat(transaction, reply, 500, 0);
    else transaction.respond(reply);
  }

  #repeat(transaction: ServerTransaction, reply: Reply, afterMs: number, waitedMs: number): void {
    if (this.#acknowledged.has(transaction.request.callId) || waitedMs >= 32_000) return;
    transaction.respond(reply);
    this.#timers.start(afterMs, () =>
      this.#repeat(transaction, reply, Math.min(2 * afterMs, 4_000), waitedMs + afterMs),
    );
  }

  cancelled(transaction: ServerTransaction): void {
    this.#finish(transaction, 487);
  }

  acknowledged(request: SipRequest): void {
    this.#acknowledged.add(request.callId);
  }
}

function run(
  plans: readonly Plan[],
  storm: { readonly seed: number } & Omit<VirtualNetwork['weather'], 'random'>,
) {
  let { seed } = storm;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const timers = new VirtualTimers();
  const network = new VirtualNetwork(timers, { ...storm, random });
  const [a, b] = [network.node('10.0.0.1'), network.node('10.0.0.2')];
  const failed = (error: unknown) => {
    throw error;
  };
  const caller = new TransactionLayer({ timers, transports: a, failed });
  const called = new TransactionLayer({ timers, transports: b, failed });
  a.user = caller;
  b.user = called;
  const byCall = new Map<string, Plan>();
  const callee = new Callee(timers, byCall);
  called.deliverTo(callee);
  caller.deliverTo({ received() {}, cancelled() {}, acknowledged() {} });
  const flow = a.flow(b);
  const ends = new Map<string, (number | string)[]>();
  for (const plan of plans) {
    const request = testRequest(plan.method);
    byCall.set(request.callId, plan);
    const end: (number | string)[] = [];
    ends.set(request.callId, end);
    const { cancel } = caller.request(request, flow, {
      responded({ status }: SipResponse) {
        if (status < 200) return;
        if (plan.method === 'INVITE' && status < 300) {
          caller.sendAck(testRequest('ACK', { callId: request.callId, toTag: request.callId }), flow);
          if (end.includes(status)) return;
        }
        end.push(status);
      },
      failed: (why) => void end.push(why),
    });
    if (plan.cancelMs > 0) timers.start(plan.cancelMs, () => cancel());
  }
  timers.advance(200_000);
  return { ends, callee, left: [caller.count, called.count, timers.count] };
}

describe('through loss, doubling, delay and reordering', () => {
  test('each request is reported once, each call has one end, and nothing is left', () => {
    fc.assert(
      fc.property(fc.array(plan, { minLength: 1, maxLength: 6 }), weather, (plans, storm) => {
        const { ends, callee, left } = run(plans, storm);
        expect(left).toEqual([0, 0, 0]);
        for (const [callId, end] of ends) {
          expect(end).toHaveLength(1);
          expect(callee.notified.get(callId) ?? 0).toBeLessThanOrEqual(1);
          // Both sides agree, unless the network kept it from the caller.
          if (typeof end[0] === 'number') expect(end[0]).toBe(callee.finals.get(callId));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('in fine weather every call ends as the called side said', () => {
    const plans: Plan[] = [
      { method: 'INVITE', status: 200, ringMs: 100, cancelMs: 0 },
      { method: 'INVITE', status: 486, ringMs: 100, cancelMs: 0 },
      { method: 'INVITE', status: 200, ringMs: 2_000, cancelMs: 500 },
      { method: 'OPTIONS', status: 200, ringMs: 0, cancelMs: 10 },
    ];
    const { ends } = run(plans, { loss: 0, doubles: 0, minMs: 1, maxMs: 20, seed: 7 });
    expect([...ends.values()].flat()).toEqual([200, 486, 487, 200]);
  });
});

// The queues against a naive model: a list of callers, searched from the start after each event. No caller is served twice, none is lost,
// and each turn goes to the caller with the highest priority who came first.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MISSED_REST_MS } from '../memory/matching.ts';
import { type AgentsBed, named, refs, TestCaller } from './agents.contract.ts';

const DEPARTMENTS = { sales: 'ab', support: 'bc', all: 'abc' } as const;
const MAX_WAITING = 5;
const TOGETHER = { sales: 1, support: 1, all: 2 } as const;
type Department = keyof typeof DEPARTMENTS;

const anyEvent = fc.record({
  what: fc.constantFrom('call', 'call', 'call', 'answer', 'answer', 'miss', 'hang up', 'end', 'rest'),
  who: fc.nat({ max: 50 }),
  department: fc.constantFrom<Department>('sales', 'support', 'all'),
  priority: fc.constantFrom(0, 0, 1, 2),
});
type Event = typeof anyEvent extends fc.Arbitrary<infer Each> ? Each : never;

interface ModelCaller {
  readonly name: string;
  readonly department: Department;
  readonly priority: number;
  ringing: readonly string[];
  state: 'waits' | 'refused' | 'served' | 'gone';
}

class Model {
  readonly callers: ModelCaller[] = [];
  /** In a call, or rest after one that they missed. */
  readonly busy = new Set<string>();
  readonly resting = new Set<string>();

  join(name: string, department: Department, priority: number): ModelCaller {
    const caller: ModelCaller = { name, department, priority, ringing: [], state: 'waits' };
    const before = this.callers.filter((other) => other.state === 'waits' && other.department === department);
    this.callers.push(caller);
    this.offer();
    if (caller.ringing.length === 0 && before.length >= MAX_WAITING) caller.state = 'refused';
    return caller;
  }

  offer(): void {
    for (const priority of [2, 1, 0])
      for (const caller of this.callers) {
        if (caller.state !== 'waits' || caller.priority !== priority || caller.ringing.length > 0) continue;
        const rung = this.callers.flatMap(({ ringing }) => ringing);
        caller.ringing = named(DEPARTMENTS[caller.department])
          .filter((agent) => !this.busy.has(agent) && !this.resting.has(agent) && !rung.includes(agent))
          .slice(0, TOGETHER[caller.department]);
      }
  }

  ends(caller: ModelCaller, state: ModelCaller['state']): void {
    caller.ringing = [];
    caller.state = state;
  }

  miss(caller: ModelCaller): void {
    for (const agent of caller.ringing) this.resting.add(agent);
    caller.ringing = [];
  }
}

export function queueModelContract(
  open: () => Promise<AgentsBed & { close?(): Promise<void> }>,
  runs: number,
): void {
  describe('queues and a naive model', () => {
    it(`${runs} random runs: no caller is served twice or lost, and the order is kept, with priorities too`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyEvent, { minLength: 5, maxLength: 15, size: 'max' }), async (events) => {
          const bed = await open();
          try {
            await run(bed, events);
          } finally {
            await bed.close?.();
          }
        }),
        // Events are few; making them fewer would take longer than a test may, and go on in the database beside the next attempt.
        { numRuns: runs, endOnFailure: true },
      );
    });
  });
}

async function run(bed: AgentsBed, events: readonly Event[]): Promise<void> {
  for (const agent of named('abc')) bed.present.add(agent);
  bed.desk.together.set('acme/department||all', TOGETHER.all);
  const model = new Model();
  const calls = new Map<ModelCaller, TestCaller>();
  const talks: (readonly [TestCaller, string])[] = [];
  const callOf = (caller: ModelCaller): TestCaller => calls.get(caller) as TestCaller;
  const waiting = (): ModelCaller[] => model.callers.filter(({ state }) => state === 'waits');
  const ringing = (): ModelCaller[] => waiting().filter(({ ringing: phones }) => phones.length > 0);
  const answer = (caller: ModelCaller, who: number): void => {
    const agent = caller.ringing[who % caller.ringing.length] ?? '';
    callOf(caller).answer(agent);
    talks.push([callOf(caller), agent]);
    model.busy.add(agent);
    model.ends(caller, 'served');
  };
  const endTalk = (): void => {
    const [call, agent] = talks.shift() ?? [];
    if (!call || agent === undefined) return;
    call.endTalk(agent);
    model.busy.delete(agent);
  };
  const compare = async (passMs = 0): Promise<void> => {
    await bed.pass(passMs);
    model.offer();
    const of = (caller: ModelCaller) => [caller.name, caller.ringing];
    expect(waiting().map((caller) => [caller.name, callOf(caller).ringing])).toEqual(waiting().map(of));
    for (const caller of model.callers)
      if (caller.state === 'refused') expect(callOf(caller).reports).toEqual(['queue-full']);
  };
  const happens = ({ what, who, department, priority }: Event, index: number): void => {
    const [waits, rings] = [waiting()[who % waiting().length], ringing()[who % ringing().length]];
    if (what === 'call') {
      const node = bed.nodes[who % 2 ? 1 : 0];
      const call = new TestCaller(node, `caller ${index}`, refs(DEPARTMENTS[department]));
      const caller = model.join(call.name, department, priority);
      calls.set(caller, call.join(department, 'in_order', { priority, maxWaiting: MAX_WAITING }));
    } else if (what === 'answer' && rings) answer(rings, who);
    else if (what === 'miss' && rings) {
      callOf(rings).miss();
      model.miss(rings);
    } else if (what === 'hang up' && waits) {
      callOf(waits).hangUp();
      model.ends(waits, 'gone');
    } else if (what === 'end') endTalk();
    else if (what === 'rest') model.resting.clear();
  };
  for (const [index, event] of events.entries()) {
    happens(event, index);
    await compare(event.what === 'rest' ? MISSED_REST_MS + 1_000 : 0);
  }
  for (let rounds = 0; waiting().length > 0; rounds++) {
    if (rounds > 50) throw new Error(`${waiting().length} callers were lost`);
    // One at a time: of two agents who become free at two nodes at once either may be the first.
    while (talks.length > 0) {
      endTalk();
      await compare();
    }
    model.resting.clear();
    await compare(MISSED_REST_MS + 1_000);
    for (let caller = ringing()[0]; caller; caller = ringing()[0]) {
      answer(caller, 0);
      await compare();
    }
  }
  expect(bed.nodes.map(({ queues }) => queues.waiting)).toEqual([0, 0]);
}

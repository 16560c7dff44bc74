// The queues of departments by themselves, on a virtual clock; queued-calls.test.ts has whole calls.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { QueueRules, RingStrategy } from '../../flow/node.ts';
import { aQueue } from '../../flow/testing/samples.ts';
import { TestDesk } from '../ports/agents.contract.ts';
import { MemoryAgentStates } from './agent-states.ts';
import { MISSED_REST_MS } from './matching.ts';
import { MemoryQueues } from './queues.ts';

class Caller {
  readonly reports: string[] = [];
  entry: ReturnType<MemoryQueues['join']> = null;
  /** Agents kept for this caller now. */
  turn: readonly string[] = [];
  gone = false;
  readonly name: string;
  readonly agents: readonly string[];
  readonly #queues: MemoryQueues;

  constructor(queues: MemoryQueues, name: string, agents: readonly string[]) {
    this.#queues = queues;
    this.name = name;
    this.agents = agents;
  }

  resume(): void {
    if (this.entry) this.#queues.resume(this.entry);
  }

  askPosition(): void {
    if (this.entry) this.#queues.reportPosition(this.entry);
  }

  leave(servedBy: string | null): void {
    if (this.entry) this.#queues.leave(this.entry, servedBy);
  }
}

function queueBed() {
  const clock = new VirtualClock();
  const agentStates = new MemoryAgentStates(() => clock.epochMs());
  const duty = new TestDesk();
  const { present } = duty;
  const queues = new MemoryQueues({ agentStates, clock, duty, random: () => 0.5 });
  let request = 0;
  const join = (
    name: string,
    department: string,
    agents: readonly string[],
    { strategy = 'in_order', ...rules }: Partial<QueueRules> & { strategy?: RingStrategy } = {},
  ): Caller => {
    const caller = new Caller(queues, name, agents);
    request += 1;
    caller.entry = queues.join(
      {
        type: 'join-queue',
        request,
        node: `department||${department}`,
        agents,
        strategy,
        rules: aQueue(rules),
      },
      { accountId: 'acme', callId: name, caller: name },
      {
        sharingLost: () => undefined,
        report: (event) => {
          if (event.type === 'queue-turn') {
            caller.turn = event.agents;
            caller.reports.push(`turn ${event.agents.map(bare).join()}`);
          } else if (event.type === 'queue-position') caller.reports.push(`number ${event.position}`);
          else if (event.type === 'queue-refused') caller.reports.push(event.why);
        },
      },
    );
    return caller;
  };
  const at = (agent: string): string => `acme/${agent}`;
  return {
    clock,
    agentStates,
    queues,
    join,
    come: (...agents: string[]) => void agents.forEach((agent) => void present.add(at(agent))),
    go: (agent: string) => void present.delete(at(agent)),
    begin: (agent: string) => agentStates.occupy('', at(agent)),
    end: (agent: string) => agentStates.free('', at(agent)),
  };
}

const bare = (ref: string): string => ref.slice('extension||'.length);
const refs = (agents: string): string[] => [...agents].map((agent) => `extension||${agent}`);
const A = refs('a');
const AB = refs('ab');

describe('a queue', () => {
  it('offers a free agent at once', () => {
    const { join, come } = queueBed();
    come('a');
    expect(join('one', 'sales', A).reports).toEqual(['turn a']);
  });

  it('knows how long its first caller has waited', () => {
    const { join, come, begin, queues, clock } = queueBed();
    come('a');
    begin('a');
    expect([queues.waiting, queues.longestWaitMs]).toEqual([0, 0]);
    const one = join('one', 'sales', A);
    clock.advance(5_000);
    join('two', 'support', A);
    clock.advance(1_000);
    expect([queues.waiting, queues.longestWaitMs]).toEqual([2, 6_000]);
    one.leave(null);
    expect(queues.longestWaitMs).toBe(1_000);
  });

  it('serves in order of arrival, and reports the position', () => {
    const { join, come, begin, end, clock } = queueBed();
    come('a');
    begin('a');
    const [one, two] = [join('one', 'sales', A), join('two', 'sales', A)];
    expect([one.reports, two.reports]).toEqual([['number 1'], ['number 2']]);
    end('a');
    clock.advance(0);
    expect([one.reports.at(-1), two.reports.at(-1)]).toEqual(['turn a', 'number 2']);
    begin('a');
    one.leave('extension||a');
    two.askPosition();
    expect(two.reports.at(-1)).toBe('number 1');
    end('a');
    clock.advance(0);
    expect(two.reports.at(-1)).toBe('turn a');
  });

  it('never offers an agent twice: two callers who come together ring two agents', () => {
    const { join, come } = queueBed();
    come('a', 'b');
    const callers = ['one', 'two', 'three'].map((name) => join(name, 'sales', AB));
    expect(callers.map(({ reports }) => reports)).toEqual([['turn a'], ['turn b'], ['number 3']]);
  });

  it('reserves all free agents for the first caller when they ring together', () => {
    const { join, come, begin, clock } = queueBed();
    come('a', 'b');
    const one = join('one', 'sales', AB, { strategy: 'simultaneous' });
    const two = join('two', 'sales', AB, { strategy: 'simultaneous' });
    expect([one.reports, two.reports]).toEqual([['turn a,b'], ['number 2']]);
    begin('b');
    one.leave('extension||b');
    clock.advance(0);
    expect(two.reports.at(-1)).toBe('turn a');
  });

  it('gives an agent of two departments to the caller who has waited longest', () => {
    const { join, come, begin, end, clock } = queueBed();
    come('a');
    begin('a');
    const one = join('one', 'support', A);
    clock.advance(5);
    const two = join('two', 'sales', A);
    end('a');
    clock.advance(0);
    expect([one.reports.at(-1), two.reports.at(-1)]).toEqual(['turn a', 'number 1']);
  });

  it('lets an agent who did not answer rest, tries the others, and then that one again', () => {
    const { join, come, clock } = queueBed();
    come('a', 'b');
    const one = join('one', 'sales', AB);
    one.resume();
    expect(one.reports).toEqual(['turn a', 'turn b']);
    one.resume();
    expect(one.reports.at(-1)).toBe('number 1');
    clock.advance(MISSED_REST_MS - 1_000);
    expect(one.reports).toHaveLength(3);
    clock.advance(2_000);
    expect(one.reports.at(-1)).toBe('turn a');
  });

  it('keeps the position of a caller whom no agent answered: those behind do not overtake', () => {
    const { join, come, clock } = queueBed();
    come('a');
    const one = join('one', 'sales', A);
    const two = join('two', 'sales', A);
    one.resume();
    clock.advance(MISSED_REST_MS + 1_000);
    expect([one.reports.at(-1), two.reports]).toEqual(['turn a', ['number 2']]);
  });

  it('lets agents rest after a call from the queue for the department’s wrap-up time', () => {
    const { join, come, begin, end, clock, queues } = queueBed();
    come('a');
    const one = join('one', 'sales', A, { wrapupSeconds: 30 });
    begin('a');
    one.leave('extension||a');
    const two = join('two', 'sales', A, { wrapupSeconds: 30 });
    clock.advance(60_000);
    end('a');
    expect(queues.isResting('acme/a')).toBe(true);
    clock.advance(29_000);
    expect(two.reports).toEqual(['number 1']);
    clock.advance(1_500);
    expect(two.reports.at(-1)).toBe('turn a');
  });

  it('notices within a second that a phone registered', () => {
    const { join, come, clock } = queueBed();
    const one = join('one', 'sales', A, { joinWhenEmpty: true });
    clock.advance(5_000);
    expect(one.reports).toEqual(['number 1']);
    come('a');
    clock.advance(1_000);
    expect(one.reports.at(-1)).toBe('turn a');
  });

  it('refuses callers when no agent is present, or the queue is full', () => {
    const { join, come, begin, queues } = queueBed();
    expect(join('one', 'sales', A).reports).toEqual(['queue-empty']);
    come('a');
    begin('a');
    expect(join('two', 'sales', A, { maxWaiting: 1 }).reports).toEqual(['number 1']);
    expect(join('three', 'sales', A, { maxWaiting: 1 }).reports).toEqual(['queue-full']);
    expect(queues.waiting).toBe(1);
  });

  it('has at most 1,000 callers, whatever the department allows', () => {
    const { join, come, begin, queues } = queueBed();
    come('a');
    begin('a');
    for (let index = 0; index < 1_000; index++) join(`caller ${index}`, 'sales', A);
    expect(join('one too many', 'sales', A).reports).toEqual(['queue-full']);
    expect(queues.waiting).toBe(1_000);
  });

  it('serves callers of an older list of agents and of a newer one side by side', () => {
    const { join, come, begin } = queueBed();
    come('a', 'b');
    begin('a');
    expect(join('before', 'sales', A).reports).toEqual(['number 1']);
    expect(join('after', 'sales', AB).reports).toEqual(['turn b']);
  });

  it('leaves no timer behind when it is empty', () => {
    const { join, come, begin, clock } = queueBed();
    come('a');
    begin('a');
    const one = join('one', 'sales', A);
    expect(clock.running).toBe(1);
    one.leave(null);
    one.leave(null);
    expect(clock.running).toBe(0);
  });
});

const DEPARTMENTS = { sales: refs('ab'), support: refs('bc'), all: refs('abcd') } as const;
type Department = keyof typeof DEPARTMENTS;
const LISTS = Object.keys(DEPARTMENTS) as Department[];
const STRATEGIES = ['simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'] as const;
const SCENARIOS = Number(process.env['QUEUE_SCENARIOS'] ?? 200);

const anyDeed = fc.record({
  what: fc.constantFrom(
    'call',
    'call',
    'answer',
    'answer',
    'miss',
    'give up',
    'end',
    'end',
    'come',
    'go',
    'dial',
  ),
  who: fc.nat({ max: 50 }),
  waitMs: fc.constantFrom(0, 0, 10, 700, 12_000),
  department: fc.constantFrom(...LISTS),
  strategy: fc.constantFrom(...STRATEGIES),
});

it(`${SCENARIOS} random scenarios: no caller is forgotten or overtaken, no agent is rung while busy`, () => {
  fc.assert(
    fc.property(fc.array(anyDeed, { minLength: 10, maxLength: 60, size: 'max' }), (deeds) => {
      const { clock, join, come, go, begin, end, queues } = queueBed();
      const present = new Set<string>('abcd');
      const busy = new Map<string, number>();
      come(...present);
      const callers: Caller[] = [];
      const known = new Map<Caller, number>();
      const waiting = (): Caller[] => callers.filter(({ gone }) => !gone);
      const ringing = (): Caller[] => waiting().filter(({ turn }) => turn.length > 0);
      const take = (agent: string): void => {
        busy.set(agent, (busy.get(agent) ?? 0) + 1);
        begin(agent);
      };
      const release = (agent: string): void => {
        busy.set(agent, (busy.get(agent) ?? 0) - 1);
        end(agent);
      };
      /** The phones of a new turn ring from now on, as CallLegs rings them. */
      const ringTurns = (): void => {
        for (const caller of ringing()) {
          if (known.get(caller) === caller.reports.length) continue;
          known.set(caller, caller.reports.length);
          for (const agent of caller.turn.map(bare)) {
            if ((busy.get(agent) ?? 0) > 0) throw new Error(`${agent} is rung while busy`);
            if (!present.has(agent)) throw new Error(`${agent} is rung while away`);
            const earlier = callers.slice(0, callers.indexOf(caller));
            const overtaken = earlier.find(
              (other) =>
                !other.gone && other.turn.length === 0 && other.agents.includes(`extension||${agent}`),
            );
            if (overtaken) throw new Error(`${caller.name} overtakes ${overtaken.name}`);
            take(agent);
          }
        }
      };
      const stopRinging = (caller: Caller, but?: string): void => {
        const agents = caller.turn.map(bare).filter((agent) => agent !== but);
        caller.turn = [];
        for (const agent of agents) release(agent);
      };
      const talks: string[] = [];
      for (const { what, who, waitMs, department, strategy } of deeds) {
        const agent = 'abcd'.charAt(who % 4);
        if (what === 'call' && waiting().length < 20) {
          const caller = join(`caller ${callers.length}`, department, DEPARTMENTS[department], {
            strategy,
            joinWhenEmpty: true,
          });
          callers.push(caller);
        } else if (what === 'answer' || what === 'miss') {
          const caller = ringing()[who % Math.max(1, ringing().length)];
          const by = caller?.turn[who % caller.turn.length];
          if (caller && by !== undefined && what === 'answer') {
            stopRinging(caller, bare(by));
            caller.gone = true;
            caller.leave(by);
            talks.push(bare(by));
          } else if (caller) {
            stopRinging(caller);
            caller.resume();
          }
        } else if (what === 'give up') {
          const caller = waiting()[who % Math.max(1, waiting().length)];
          if (caller) {
            stopRinging(caller);
            caller.gone = true;
            caller.leave(null);
          }
        } else if (what === 'end' && talks.length > 0) {
          release(talks.shift() ?? '');
        } else if (what === 'dial' && (busy.get(agent) ?? 0) === 0) {
          take(agent);
          talks.push(agent);
        } else if (what === 'go') {
          present.delete(agent);
          go(agent);
        } else if (what === 'come') {
          present.add(agent);
          come(agent);
        }
        ringTurns();
        clock.advance(waitMs);
        ringTurns();
      }
      // From now on all agents are present and answer: no caller may be left in the queue.
      for (const agent of 'abcd') {
        present.add(agent);
        come(agent);
      }
      for (let rounds = 0; waiting().length > 0; rounds++) {
        if (rounds > 200) throw new Error(`${waiting().length} callers were forgotten`);
        while (talks.length > 0) release(talks.shift() ?? '');
        clock.advance(12_000);
        ringTurns();
        for (const caller of ringing()) {
          const by = caller.turn[0] ?? '';
          stopRinging(caller, bare(by));
          caller.gone = true;
          caller.leave(by);
          talks.push(bare(by));
        }
      }
      expect(queues.waiting).toBe(0);
      expect(clock.running).toBe(0);
    }),
    { numRuns: SCENARIOS },
  );
});

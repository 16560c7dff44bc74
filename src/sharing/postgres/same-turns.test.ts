// The queues of nodes against those of one process: the same deeds give the same turns.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing, sharedPostgres } from '../../../test/support/postgres.ts';
import { openShared, sharedAgents } from '../../../test/support/shared-agents.ts';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import { MemoryAgentStates } from '../memory/agent-states.ts';
import { MemoryQueues } from '../memory/queues.ts';
import { type AgentsBed, refs, TestCaller, TestDesk } from '../ports/agents.contract.ts';
import type { SharedDatabase } from './database.ts';

const SCENARIOS = Number(process.env['SHARED_SCENARIOS'] ?? 6);
const DEPARTMENTS = { sales: refs('ab'), support: refs('bc'), all: refs('abcd') } as const;
const anyDeed = fc.record({
  what: fc.constantFrom(
    'call',
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
  waitMs: fc.constantFrom(0, 0, 0, 12_000),
  department: fc.constantFrom('sales', 'support', 'all'),
  priority: fc.constantFrom(0, 0, 1, 2),
  strategy: fc.constantFrom('simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'),
});
type Deed = typeof anyDeed extends fc.Arbitrary<infer Each> ? Each : never;

/** Jumps, as the rows of the other bed do: what falls due on the way falls due at the end. */
class JumpingClock extends VirtualClock {
  readonly #skipped: (() => void)[] = [];

  override after(ms: number, then: () => void): () => void {
    let isOver = false;
    const cancel = super.after(ms, () => {
      this.#skipped.push(() => !isOver && then());
    });
    return () => {
      isOver = true;
      cancel();
    };
  }

  override advance(ms: number): void {
    super.advance(ms);
    for (const then of this.#skipped.splice(0)) then();
  }
}

function memoryBed(): AgentsBed {
  const clock = new JumpingClock();
  const agentStates = new MemoryAgentStates(() => clock.epochMs());
  const duty = new TestDesk();
  const queues = new MemoryQueues({ agentStates, clock, duty, random: () => 0.5 });
  const node = { agentStates, queues };
  return {
    nodes: [node, node],
    present: duty.present,
    desk: duty,
    settled: async () => undefined,
    pass: async (ms) => {
      clock.advance(ms);
      clock.advance(500);
    },
  };
}

/** What each caller was told. */
async function play(bed: AgentsBed, deeds: readonly Deed[]): Promise<string[][]> {
  const { nodes, present } = bed;
  for (const agent of 'abcd') present.add(`acme/${agent}`);
  const callers: TestCaller[] = [];
  const talks: (readonly [TestCaller, string])[] = [];
  const pick = <T>(all: readonly T[], who: number): T | undefined => all[who % Math.max(1, all.length)];
  for (const [index, { what, who, waitMs, department, priority, strategy }] of deeds.entries()) {
    const agent = `acme/${'abcd'.charAt(who % 4)}`;
    const node = nodes[who % 2 ? 1 : 0];
    const live = callers.filter(({ isGone }) => !isGone);
    const ringing = pick(
      live.filter(({ ringing: phones }) => phones.length > 0),
      who,
    );
    const by = ringing && pick(ringing.ringing, who);
    if (what === 'call')
      callers.push(
        new TestCaller(node, `caller ${index}`, DEPARTMENTS[department]).join(department, strategy, {
          priority,
          joinWhenEmpty: true,
          wrapupSeconds: who % 3 === 0 ? 5 : 0,
          maxWaiting: 4,
        }),
      );
    if (what === 'answer' && ringing && by !== undefined) {
      ringing.answer(by);
      talks.push([ringing, by]);
    }
    if (what === 'miss') ringing?.miss();
    if (what === 'give up') pick(live, who)?.hangUp();
    if (what === 'end') {
      const [caller, talking] = talks.shift() ?? [];
      if (caller && talking !== undefined) caller.endTalk(talking);
    }
    if (what === 'come') present.add(agent);
    if (what === 'go') present.delete(agent);
    if (what === 'dial') {
      node.agentStates.occupy(`dial ${index}`, agent);
      await bed.pass(0);
      node.agentStates.free(`dial ${index}`, agent);
    }
    await bed.pass(waitMs);
  }
  return callers.map(({ reports }) => reports);
}

describe.skipIf(postgresMissing())('on PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof sharedPostgres>>;
  let database: SharedDatabase;
  beforeAll(async () => {
    server = await sharedPostgres();
    const url = await server.newDatabase();
    await (await openPostgres({ url })).close();
    database = openShared(url);
  });
  afterAll(async () => {
    await database?.close();
    await server?.remove();
  });

  it(`${SCENARIOS} random scenarios: callers of two nodes get the turns that they would get in one process`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDeed, { minLength: 5, maxLength: 20, size: 'max' }), async (deeds) => {
        const bed = await sharedAgents(database);
        const shared = await play(bed, deeds);
        await bed.close();
        expect(bed.failures).toEqual([]);
        expect(shared).toEqual(await play(memoryBed(), deeds));
      }),
      { numRuns: SCENARIOS },
    );
  });
});

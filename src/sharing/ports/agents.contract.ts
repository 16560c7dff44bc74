// What agents and queues must do, in one process and at several nodes. `nodes`: two nodes that share them; one process is both.
import { describe, expect, it } from 'vitest';
import type { QueueRules, Ref, RingStrategy } from '../../flow/node.ts';
import { aQueue } from '../../flow/testing/samples.ts';
import type { AgentStates, Claimed } from './agent-states.ts';
import type { Duty, QueueEntry, Queues } from './queues.ts';
import { when } from './when.ts';

export interface AgentsNode {
  readonly agentStates: AgentStates;
  readonly queues: Queues;
}

export interface AgentsBed {
  readonly nodes: readonly [AgentsNode, AgentsNode];
  /** By globalId. */
  readonly present: Set<string>;
  readonly desk: TestDesk;
  /** Everything that is on its way has arrived, at both nodes. */
  settled(): Promise<void>;
  /** Time passes for agents and queues. */
  pass(ms: number): Promise<void>;
}

/** What both nodes know of agents. */
export class TestDesk implements Duty {
  readonly present = new Set<string>();
  /** `agent department`. */
  readonly signedOut = new Set<string>();
  readonly levels = new Map<string, Readonly<Record<Ref, number>>>();
  readonly priorities = new Map<string, number>();
  readonly together = new Map<string, number>();

  isPresent(agent: string): boolean {
    return this.present.has(agent);
  }

  isSignedIn(agent: string, department: string): boolean {
    return !this.signedOut.has(`${agent} ${department}`);
  }

  levelsOf(department: string): Readonly<Record<Ref, number>> | undefined {
    return this.levels.get(department);
  }

  togetherOf(department: string): number {
    return this.together.get(department) ?? 1;
  }

  priorityOf(department: string): number {
    return this.priorities.get(department) ?? 0;
  }
}

export const refs = (agents: string): Ref[] => [...agents].map((agent) => `extension||${agent}`);
export const bare = (ref: Ref): string => ref.slice('extension||'.length);
export const named = (agents: string): string[] => [...agents].map((agent) => `acme/${agent}`);

/** A call in a queue, which rings the agents of its turn as CallLegs does. */
export class TestCaller {
  readonly reports: string[] = [];
  entry: QueueEntry | null = null;
  /** Agents that ring for it. */
  ringing: readonly string[] = [];
  isGone = false;
  lost = 0;
  readonly name: string;
  readonly node: AgentsNode;
  readonly agents: readonly Ref[];

  constructor(node: AgentsNode, name: string, agents: readonly Ref[]) {
    this.node = node;
    this.name = name;
    this.agents = agents;
  }

  join(
    department: string,
    strategy: RingStrategy,
    { priority = 0, ...rules }: Partial<QueueRules> & { readonly priority?: number },
    place?: number,
  ): this {
    const order = {
      type: 'join-queue',
      request: 1,
      node: `department||${department}`,
      agents: this.agents,
      strategy,
      priority,
    } as const;
    const known = { accountId: 'acme', callId: this.name, caller: this.name };
    const who = place === undefined ? known : { ...known, place };
    this.entry = this.node.queues.join({ ...order, rules: aQueue(rules) }, who, {
      sharingLost: () => {
        this.lost += 1;
      },
      report: (event) => {
        if (event.type === 'queue-turn') this.#ring(`department||${department}`, event.agents);
        else if (event.type === 'queue-position') this.reports.push(`number ${event.position}`);
        else {
          this.isGone = true;
          this.reports.push(event.why);
        }
      },
    });
    return this;
  }

  /** Ends its ringing but for the agent who answered. */
  stopRinging(but?: string): void {
    const { agentStates } = this.node;
    const ended = this.ringing.filter((agent) => agent !== but);
    this.ringing = [];
    for (const agent of ended) agentStates.free(this.name, agent);
  }

  answer(agent: string): void {
    this.stopRinging(agent);
    this.leave(`extension||${agent.slice('acme/'.length)}`);
  }

  miss(): void {
    this.stopRinging();
    if (this.entry) this.node.queues.resume(this.entry);
  }

  hangUp(): void {
    this.stopRinging();
    this.leave(null);
  }

  leave(servedBy: Ref | null): void {
    this.isGone = true;
    if (this.entry) this.node.queues.leave(this.entry, servedBy);
  }

  endTalk(agent: string): void {
    this.node.agentStates.free(this.name, agent);
  }

  #ring(department: string, offered: readonly Ref[]): void {
    this.reports.push(`turn ${offered.map(bare).join()}`);
    const { agentStates } = this.node;
    const agents = offered.map((ref) => `acme/${bare(ref)}`);
    agentStates.rang(this.name, `acme/${department}`, offered.at(-1) ?? '');
    const claimed = agentStates.claim(this.name, agents, false);
    if (claimed instanceof Promise) throw new Error('agents that are offered need no other answer');
    if (claimed.busy.length > 0) throw new Error(`${claimed.busy.join()} rung while busy`);
    for (const agent of agents) agentStates.occupy(this.name, agent);
    agentStates.settle(this.name, agents);
    this.ringing = agents;
  }
}

export function agentsContract(open: () => Promise<AgentsBed>): void {
  describe('agents', () => claimContract(open));
}

function claimContract(open: () => Promise<AgentsBed>): void {
  const claim = async (
    { agentStates }: AgentsNode,
    call: string,
    agents: string,
    isShared = false,
  ): Promise<Claimed> => agentStates.claim(call, named(agents), isShared);
  /** As CallLegs rings: the agents who are free. */
  const ring = async (node: AgentsNode, call: string, agents: string): Promise<readonly string[]> =>
    // Without a promise nothing may come between.
    when(node.agentStates.claim(call, named(agents), false), ({ busy }) => {
      const free = named(agents).filter((agent) => !busy.includes(agent));
      for (const agent of free) node.agentStates.occupy(call, agent);
      node.agentStates.settle(call, named(agents));
      return free;
    });

  it('whom a call rings are busy for every other call, until the leg has ended', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    expect(await ring(here, 'one', 'ab')).toEqual(named('ab'));
    expect(await claim(there, 'two', 'abc')).toEqual({ busy: named('ab'), isLocal: false });
    there.agentStates.settle('two', named('abc'));
    here.agentStates.free('one', 'acme/a');
    await settled();
    expect(await ring(there, 'three', 'abc')).toEqual(named('ac'));
  });

  it('of a claim that rings nothing are free again', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    await claim(here, 'one', 'a');
    here.agentStates.settle('one', named('a'));
    await settled();
    expect(await ring(there, 'two', 'a')).toEqual(named('a'));
  });

  it('whose two phones ring are free when both have ended', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    await here.agentStates.claim('one', ['acme/a', null, 'acme/a'], false);
    for (let phone = 0; phone < 2; phone++) here.agentStates.occupy('one', 'acme/a');
    here.agentStates.settle('one', ['acme/a', null, 'acme/a']);
    here.agentStates.free('one', 'acme/a');
    await settled();
    expect((await claim(there, 'two', 'a')).busy).toEqual(named('a'));
    here.agentStates.free('one', 'acme/a');
    await settled();
    expect((await claim(there, 'three', 'a')).busy).toEqual([]);
  });

  it('who were given up can be rung again at once by the same call', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    await ring(here, 'one', 'a');
    here.agentStates.free('one', 'acme/a');
    expect(await ring(here, 'one', 'a')).toEqual(named('a'));
    await settled();
    expect((await claim(there, 'two', 'a')).busy).toEqual(named('a'));
  });

  it('who dial are busy, and may dial while a call rings them', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    here.agentStates.occupy('out', 'acme/a');
    await settled();
    expect((await claim(there, 'two', 'a')).busy).toEqual(named('a'));
    // An agent who dials the own number.
    expect((await claim(here, 'out', 'a')).busy).toEqual(named('a'));
    here.agentStates.settle('out', named('a'));
    await ring(there, 'three', 'b');
    here.agentStates.occupy('out b', 'acme/b');
    there.agentStates.free('three', 'acme/b');
    await settled();
    expect((await claim(there, 'four', 'b')).busy).toEqual(named('b'));
    here.agentStates.free('out b', 'acme/b');
    here.agentStates.free('out', 'acme/a');
    await settled();
    expect(await ring(there, 'five', 'ab')).toEqual(named('ab'));
  });

  it('who take several calls are rung while busy, and are busy for those who do not ask for that', async () => {
    const { nodes, settled } = await open();
    const [here, there] = nodes;
    expect((await claim(here, 'one', 'a', true)).busy).toEqual([]);
    here.agentStates.occupy('one', 'acme/a');
    here.agentStates.settle('one', named('a'));
    await settled();
    expect((await claim(there, 'two', 'a', true)).busy).toEqual([]);
    there.agentStates.settle('two', named('a'));
    await settled();
    expect((await claim(there, 'three', 'a')).busy).toEqual(named('a'));
  });

  it('are won by one of many calls that want them at the same moment', async () => {
    const { nodes } = await open();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        ring(nodes[index % 2 ? 1 : 0], `call ${index}`, index % 3 ? 'abcd' : 'dcba'),
      ),
    );
    expect(all.flat().sort()).toEqual(named('abcd'));
  });

  it('are idle since the end of their last call, and the last one rung is known', async () => {
    const { nodes, settled, pass } = await open();
    const [here, there] = nodes;
    for (const agent of named('ba')) {
      here.agentStates.occupy(`call of ${agent}`, agent);
      here.agentStates.free(`call of ${agent}`, agent);
      await pass(5);
    }
    here.agentStates.rang('one', 'acme/department||sales', 'extension||b');
    await settled();
    const { idleSince, lastRung } = await there.agentStates.standing('acme/department||sales', named('abc'));
    const [a = 0, b = 0] = named('ab').map((agent) => idleSince.get(agent));
    expect([a > b, b > 0, idleSince.get('acme/c') ?? 0, lastRung]).toEqual([true, true, 0, 'extension||b']);
    expect((await there.agentStates.standing('acme/department||other', [])).lastRung).toBeNull();
  });
}

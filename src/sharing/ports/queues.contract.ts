// What queues must do, in one process and at several nodes.
import { describe, expect, it } from 'vitest';
import type { QueueRules, Ref, RingStrategy } from '../../flow/node.ts';
import { MISSED_REST_MS } from '../memory/matching.ts';
import { type AgentsBed, type AgentsNode, named, refs, TestCaller } from './agents.contract.ts';
import type { QueueEntry } from './queues.ts';

export function queuesContract(open: () => Promise<AgentsBed>): void {
  describe('queues', () => queueContract(open));
}

function queueContract(open: () => Promise<AgentsBed>): void {
  const A = refs('a');
  const AB = refs('ab');
  type Rules = Partial<QueueRules> & { strategy?: RingStrategy; priority?: number };

  async function queueBed(present = '') {
    const bed = await open();
    const [here, there] = bed.nodes;
    for (const agent of named(present)) bed.present.add(agent);
    const join = async (
      node: AgentsNode,
      name: string,
      agents: readonly Ref[],
      { strategy = 'in_order', ...rules }: Rules = {},
      department = 'sales',
    ): Promise<TestCaller> => {
      const caller = new TestCaller(node, name, agents).join(department, strategy, rules);
      await bed.settled();
      return caller;
    };
    return { ...bed, here, there, join };
  }
  const last = (...callers: readonly TestCaller[]) => callers.map(({ reports }) => reports.at(-1));

  it('offer a free agent at once, and each agent to one caller', async () => {
    const { here, there, join } = await queueBed('ab');
    const one = await join(here, 'one', AB);
    const two = await join(there, 'two', AB);
    const three = await join(here, 'three', AB);
    expect([one.reports, two.reports, three.reports]).toEqual([['turn a'], ['turn b'], ['number 3']]);
  });

  it('serve in order of arrival, whatever the node and the department', async () => {
    const { here, there, join, settled, pass } = await queueBed('a');
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const one = await join(there, 'one', A);
    const two = await join(here, 'two', A, {}, 'support');
    const three = await join(there, 'three', A);
    expect(last(one, two, three)).toEqual(['number 1', 'number 1', 'number 2']);
    here.agentStates.free('talk', 'acme/a');
    await pass(0);
    expect(last(one, two, three)).toEqual(['turn a', 'number 1', 'number 2']);
    one.answer('acme/a');
    await settled();
    three.node.queues.reportPosition(three.entry as QueueEntry);
    await settled();
    expect(last(three)).toEqual(['number 1']);
    one.endTalk('acme/a');
    await pass(0);
    expect(last(two, three)).toEqual(['turn a', 'number 1']);
    two.hangUp();
    await pass(0);
    expect(last(three)).toEqual(['turn a']);
  });

  it('serve a call-back where its caller stood, at whatever node, also if no agent was there or the queue is full', async () => {
    const { here, there, join, settled, pass, present } = await queueBed('a');
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const one = await join(here, 'one', A);
    const two = await join(here, 'two', A);
    const place = here.queues.callbackPlace(one.entry as QueueEntry);
    expect(there.queues.callbackPlace(two.entry as QueueEntry)).toBeGreaterThan(place);
    one.hangUp();
    present.delete('acme/a');
    await settled();
    const back = new TestCaller(there, 'back', A).join('sales', 'in_order', { maxWaiting: 1 }, place);
    await settled();
    two.node.queues.reportPosition(two.entry as QueueEntry);
    await settled();
    expect(last(two)).toEqual(['number 2']);
    present.add('acme/a');
    here.agentStates.free('talk', 'acme/a');
    await pass(500);
    expect(last(back, two)).toEqual(['turn a', 'number 2']);
  });

  it('reserve all free agents for the first caller when they ring together', async () => {
    const { here, there, join, pass } = await queueBed('ab');
    const one = await join(here, 'one', AB, { strategy: 'simultaneous' });
    const two = await join(there, 'two', AB, { strategy: 'simultaneous' });
    expect(last(one, two)).toEqual(['turn a,b', 'number 2']);
    one.answer('acme/b');
    await pass(0);
    expect(last(two)).toEqual(['turn a']);
  });

  it('let an agent who did not answer rest, and keep the position of the caller', async () => {
    const { here, there, join, settled, pass } = await queueBed('ab');
    const one = await join(here, 'one', AB);
    one.miss();
    await settled();
    expect(last(one)).toEqual(['turn b']);
    one.miss();
    await settled();
    const two = await join(there, 'two', AB);
    expect(last(one, two)).toEqual(['number 1', 'number 2']);
    const { resting, busy } = await there.queues.look('acme/department||sales', named('ab'));
    expect([[...resting], [...busy]]).toEqual([named('ab'), []]);
    await pass(MISSED_REST_MS + 1_000);
    expect(last(one, two)).toEqual(['turn a', 'turn b']);
  });

  it('let agents rest after a call from the queue for the wrap-up time', async () => {
    const { here, there, join, settled, pass } = await queueBed('a');
    const one = await join(here, 'one', A, { wrapupSeconds: 30 });
    one.answer('acme/a');
    await settled();
    const two = await join(there, 'two', A);
    await pass(60_000);
    one.endTalk('acme/a');
    await settled();
    await pass(20_000);
    expect(last(two)).toEqual(['number 1']);
    await pass(11_000);
    expect(last(two)).toEqual(['turn a']);
  });

  it('offer an agent again whose wrap-up ends before its time, at any node', async () => {
    const { here, there, join, settled, pass } = await queueBed('a');
    const one = await join(here, 'one', A, { wrapupSeconds: 30 });
    one.answer('acme/a');
    await settled();
    const two = await join(there, 'two', A);
    one.endTalk('acme/a');
    await settled();
    await pass(5_000);
    expect(last(two)).toEqual(['number 1']);
    await here.queues.endRest('acme/a');
    await settled();
    await pass(0);
    expect(last(two)).toEqual(['turn a']);
  });

  it('take turns by round robin and by idle time over all nodes', async () => {
    const { here, there, join, pass } = await queueBed('abc');
    const abc = refs('abc');
    const served: (string | undefined)[] = [];
    for (const [index, strategy] of (
      ['round_robin', 'round_robin', 'round_robin', 'round_robin'] as const
    ).entries()) {
      const caller = await join(index % 2 ? there : here, `caller ${index}`, abc, { strategy });
      served.push(...last(caller));
      caller.hangUp();
      await pass(5);
    }
    const idle = await join(here, 'idle', abc, { strategy: 'longest_idle' }, 'support');
    expect([...served, ...last(idle)]).toEqual(['turn a', 'turn b', 'turn c', 'turn a', 'turn b']);
  });

  it('notice a phone that registered', async () => {
    const { here, join, pass, present } = await queueBed();
    const one = await join(here, 'one', A, { joinWhenEmpty: true });
    expect(last(one)).toEqual(['number 1']);
    present.add('acme/a');
    await pass(1_000);
    expect(last(one)).toEqual(['turn a']);
  });

  it('offer callers of a department to those who are signed in to it alone, whatever list it shares', async () => {
    const { here, there, join, desk, pass } = await queueBed('a');
    desk.signedOut.add('acme/a acme/department||sales');
    expect((await join(here, 'none', A)).reports).toEqual(['queue-empty']);
    const one = await join(here, 'one', A, { joinWhenEmpty: true });
    const two = await join(there, 'two', A, {}, 'support');
    expect(last(one, two)).toEqual(['number 1', 'turn a']);
    two.hangUp();
    desk.signedOut.clear();
    await pass(1_000);
    expect(last(one)).toEqual(['turn a']);
  });

  it('do not let many callers without an agent keep those of another department from theirs', async () => {
    const { here, there, join, desk } = await queueBed('a');
    desk.signedOut.add('acme/a acme/department||sales');
    for (let index = 0; index < 25; index++)
      new TestCaller(here, `waits ${index}`, A).join('sales', 'in_order', { joinWhenEmpty: true });
    expect(last(await join(there, 'served', A, {}, 'support'))).toEqual(['turn a']);
  });

  it('offer agents of a higher level while none of a lower one is free', async () => {
    const { here, there, join, desk } = await queueBed('abc');
    desk.levels.set('acme/department||sales', { 'extension||a': 2, 'extension||c': 2 });
    const abc = refs('abc');
    expect(last(await join(here, 'one', abc))).toEqual(['turn b']);
    expect(last(await join(there, 'two', abc, { strategy: 'simultaneous' }))).toEqual(['turn a,c']);
  });

  it('serve the department with the higher priority first, and within it in order of arrival', async () => {
    const { here, there, join, desk, settled, pass } = await queueBed('a');
    desk.priorities.set('acme/department||gold', 5);
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const plain = await join(here, 'plain', A);
    const one = await join(there, 'one', A, {}, 'gold');
    const two = await join(here, 'two', A, {}, 'gold');
    here.agentStates.free('talk', 'acme/a');
    await pass(0);
    expect(last(plain, one, two)).toEqual(['number 1', 'turn a', 'number 2']);
    one.hangUp();
    await pass(0);
    two.hangUp();
    await pass(0);
    expect(last(plain, two)).toEqual(['turn a', 'turn a']);
  });

  it('serve callers of a higher priority first, in order of arrival within one, and count positions so', async () => {
    const { here, there, join, settled, pass } = await queueBed('a');
    here.agentStates.occupy('talk', 'acme/a');
    await settled();
    const plain = await join(here, 'plain', A);
    const gold = await join(there, 'gold', A, { priority: 5 });
    const silver = await join(here, 'silver', A, { priority: 1 });
    const late = await join(there, 'late', A, { priority: 5 });
    expect(last(plain, gold, silver, late)).toEqual(['number 1', 'number 1', 'number 2', 'number 2']);
    for (const caller of [plain, silver, late]) caller.node.queues.reportPosition(caller.entry as QueueEntry);
    await settled();
    expect(last(plain, silver, late)).toEqual(['number 4', 'number 3', 'number 2']);
    const { waiting } = await there.queues.look('acme/department||sales', []);
    expect(waiting.map(({ callId }) => callId)).toEqual(['gold', 'late', 'silver', 'plain']);
    here.agentStates.free('talk', 'acme/a');
    const served: string[] = [];
    for (const caller of [gold, late, silver, plain]) {
      await pass(0);
      served.push(...last(caller).filter((report) => report !== undefined));
      caller.hangUp();
    }
    expect(served).toEqual(['turn a', 'turn a', 'turn a', 'turn a']);
  });

  it('offer as many agents at once as the department rings together', async () => {
    const { here, there, join, desk } = await queueBed('abc');
    desk.together.set('acme/department||sales', 2);
    expect(last(await join(here, 'one', refs('abc')))).toEqual(['turn a,b']);
    expect(last(await join(there, 'two', refs('abc')))).toEqual(['turn c']);
  });

  it('refuse callers when no agent is present, or the queue is full', async () => {
    const { here, there, join, present, pass } = await queueBed();
    expect((await join(here, 'one', A)).reports).toEqual(['queue-empty']);
    present.add('acme/a');
    here.agentStates.occupy('talk', 'acme/a');
    await pass(0);
    expect((await join(there, 'two', A, { maxWaiting: 1 })).reports).toEqual(['number 1']);
    expect((await join(here, 'three', A, { maxWaiting: 1 })).reports).toEqual(['queue-full']);
    const { waiting } = await here.queues.look('acme/department||sales', []);
    expect(waiting.map(({ callId, caller, ringing }) => [callId, caller, ringing])).toEqual([
      ['two', 'two', false],
    ]);
  });

  it('give the agents of a caller who hangs up to the next, and forget the caller', async () => {
    const { here, there, join, settled, pass } = await queueBed('a');
    const one = await join(here, 'one', A);
    const two = await join(there, 'two', A);
    one.hangUp();
    one.hangUp();
    await pass(0);
    expect(last(one, two)).toEqual(['turn a', 'turn a']);
    two.hangUp();
    await settled();
    const { waiting, busy } = await here.queues.look('acme/department||sales', named('a'));
    expect([waiting, [...busy], here.queues.waiting, here.queues.longestWaitMs]).toEqual([[], [], 0, 0]);
  });
}

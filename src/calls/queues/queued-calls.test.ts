// Whole queued calls on the test bed. The same with real sockets and sound is in test/calls/queue.test.ts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeFlow, type Flow, makeFlow } from '../../flow/flow.ts';
import type { DepartmentNode, QueueRules } from '../../flow/node.ts';
import { aDepartment, anAgent, aQueue } from '../../flow/testing/samples.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { accountRoutes, callBed, lastDialled } from '../testing/call-bed.ts';

const EIDS = ['1', '2', '3'];

function queueBed(rules: Partial<QueueRules> = {}, department: Partial<DepartmentNode> = {}) {
  const agents = EIDS.map((eid) => `extension||${eid}`);
  let flow: Flow = makeFlow({
    nodes: [
      ...EIDS.map((eid) => anAgent(eid, { intercom: `100${eid}` })),
      aDepartment('sales', { agents, queue: aQueue(rules), ...department }),
      aDepartment('support', { agents: agents.slice(1), queue: aQueue(rules) }),
    ],
    recordings: ['tune', 'lost'].map((id) => ({ id, name: id, durationMs: 2_000 })),
  });
  const bed = callBed(() =>
    accountRoutes({
      flow,
      numbers: new Map([
        ['100', 'department||sales'],
        ['200', 'department||support'],
        ...EIDS.map((eid) => [`70${eid}`, `extension||${eid}`] as const),
      ]),
      sounds: new Map([['tune', 'sound of tune']]),
    }),
  );
  const { telephony } = bed;
  return {
    ...bed,
    register: (...eids: string[]) => void eids.forEach((eid) => void telephony.register(`acme/${eid}`)),
    block: (eid: string, blocked: boolean) => {
      flow = changeFlow(flow, { nodes: [anAgent(eid, { intercom: `100${eid}`, blocked })] });
    },
    call: (dialled = '100'): Promise<FakeLeg> =>
      bed.call(dialled, { caller: `+1555${telephony.came.length}` }),
    /** Phones that ring or are answered now. */
    live: (): FakeLeg[] => telephony.dialled.filter(({ state }) => state !== 'ended'),
  };
}

const codes = (row: CallRow | undefined): string[] =>
  JSON.parse(row?.json ?? '{"trail":[]}').trail.map(({ code }: { code: string }) => code);

describe('a queued caller', () => {
  it('hears looped music, and is connected to the agent who ends the call before', async () => {
    const { register, call, telephony, clock, rows, live, switchboard } = queueBed({ music: 'tune' });
    register('1');
    const first = await call();
    lastDialled(telephony).remote.answer();
    expect(first.did).toEqual(['ring', 'answer', 'connect acme/1']);
    const second = await call();
    expect(second.did).toEqual(['answer', 'play sound of tune']);
    expect(second.playing?.loop).toBe(true);
    clock.advance(30_000);
    expect(switchboard.environment.queues.waiting).toBe(1);
    first.remote.hangUp();
    clock.advance(0);
    expect(live()).toHaveLength(1);
    lastDialled(telephony).remote.answer();
    expect(second.other).toBe(lastDialled(telephony));
    clock.advance(5_000);
    second.remote.hangUp();
    expect(rows.map(({ answeredBy }) => answeredBy)).toEqual(['1', '1']);
    expect(rows.map(({ json }) => JSON.parse(json).queue_ms)).toEqual([0, 30_000]);
    expect(codes(rows[1])).toEqual(expect.arrayContaining(['queue-joined', 'queue-turn', 'connected']));
    expect(clock.running).toBe(0);
  });

  it('hears the position in the queue, then the music again', async () => {
    const { register, call, telephony, clock } = queueBed({ announceSeconds: 15 });
    register('1');
    await call();
    lastDialled(telephony).remote.answer();
    const [, second] = [await call(), await call()];
    clock.advance(15_000);
    expect(second.did.slice(-2)).toEqual(['stop', 'play position-2']);
    second.remote.listenToEnd();
    expect(second.did.at(-1)).toBe('play music-on-hold');
    expect(second.playing?.loop).toBe(true);
  });

  it('hears how long it may take after five callers have waited, and the record says why they wait', async () => {
    const bed = queueBed({ announceSeconds: 15, announceWait: true });
    const { register, call, telephony, clock, rows, switchboard } = bed;
    register('1');
    let talking = await call();
    lastDialled(telephony).remote.answer();
    for (let each = 0; each < 5; each++) {
      const next = await call();
      clock.advance(90_000);
      expect(next.did).not.toContain('play wait-2');
      talking.remote.hangUp();
      clock.advance(0);
      lastDialled(telephony).remote.answer();
      talking = next;
    }
    expect(switchboard.environment.queues.placeMs('acme/department||sales')).toBe(90_000);
    const waiting = await call();
    clock.advance(15_000);
    waiting.remote.listenToEnd();
    expect(waiting.did.slice(-2)).toEqual(['play position-1', 'play wait-2']);
    talking.remote.hangUp();
    waiting.remote.hangUp();
    const { trail } = JSON.parse(rows.at(-1)?.json ?? '');
    const texts = trail.map(({ code, text }: { code: string; text: string }) => `${code}: ${text}`);
    expect(texts).toContain('queue-joined: Waits in the queue as number 1, about 2 min to wait.');
    expect(texts).toContain('queue-reason: Of 3 agents: 1 in a call, or rung; 2 without a phone.');
    expect(clock.running).toBe(0);
  });

  it('who hangs up leaves the queue at once, also while a phone rings for them', async () => {
    const { register, call, clock, switchboard, live, agentStates } = queueBed();
    register('1');
    const [first, second, third] = [await call(), await call(), await call()];
    second.remote.hangUp();
    expect(switchboard.environment.queues.waiting).toBe(2);
    first.remote.hangUp();
    expect(live()).toEqual([]);
    clock.advance(0);
    expect(live()).toHaveLength(1);
    third.remote.hangUp();
    expect([switchboard.environment.queues.waiting, agentStates.busyAgents, clock.running]).toEqual([
      0, 0, 0,
    ]);
  });

  it('goes to the failover after the maximum wait', async () => {
    const { register, call, clock, rows, telephony } = queueBed(
      { maxWaitSeconds: 20 },
      { failover: 'hangup||' },
    );
    register('1');
    await call();
    lastDialled(telephony).remote.answer();
    const waiting = await call();
    clock.advance(19_900);
    expect(waiting.state).toBe('answered');
    clock.advance(200);
    expect(waiting.state).toBe('ended');
    expect(codes(rows[0])).toEqual(expect.arrayContaining(['queue-timeout', 'failover']));
  });

  it('whose music is missing hears the short tone, then the built-in music', async () => {
    const { register, call, telephony } = queueBed({ music: 'lost' });
    register('1');
    await call();
    lastDialled(telephony).remote.answer();
    const waiting = await call();
    expect(waiting.did.at(-1)).toBe('play missing tone');
    waiting.remote.listenToEnd();
    expect(waiting.did.at(-1)).toBe('play music-on-hold');
  });

  it('leaves the queue when the service ends the call', async () => {
    const { register, call, switchboard, telephony, clock } = queueBed();
    register('1');
    await call();
    lastDialled(telephony).remote.answer();
    await call();
    switchboard.hangUpAll();
    expect([switchboard.environment.queues.waiting, switchboard.count, clock.running]).toEqual([0, 0, 0]);
  });
});

describe('an agent', () => {
  it('who is unblocked while callers wait is offered the next one', async () => {
    const { register, call, clock, live, block } = queueBed({ joinWhenEmpty: true });
    register('1');
    block('1', true);
    await call();
    clock.advance(5_000);
    expect(live()).toEqual([]);
    block('1', false);
    clock.advance(1_000);
    expect(live().map(({ address }) => address)).toEqual(['acme/1']);
  });

  it('who is rung for a direct call is not rung for the queue', async () => {
    const { register, call, clock, live } = queueBed();
    register('1');
    const own = await call('701');
    const waiting = await call();
    clock.advance(5_000);
    expect(live()).toHaveLength(1);
    expect(waiting.did.at(-1)).toBe('play music-on-hold');
    own.remote.hangUp();
    clock.advance(0);
    expect(waiting.did.at(-1)).toBe('play ringback tone');
  });

  it('whose phone is busy rests for a while and is not rung in a loop', async () => {
    const { register, call, telephony, clock } = queueBed();
    register('1');
    await call();
    lastDialled(telephony).remote.refuse('busy');
    clock.advance(9_000);
    expect(telephony.dialled).toHaveLength(1);
    clock.advance(1_500);
    expect(telephony.dialled).toHaveLength(2);
  });
});

const SCENARIOS = Number(process.env['QUEUE_SCENARIOS'] ?? 200);
const anyDeed = fc.record({
  what: fc.constantFrom(
    'call',
    'call',
    'answer',
    'answer',
    'refuse',
    'caller leaves',
    'agent leaves',
    'key',
    'pass',
  ),
  who: fc.nat({ max: 50 }),
  waitMs: fc.constantFrom(0, 0, 300, 4_000, 15_000),
});

it(`${SCENARIOS} random scenarios: no phone rings for two callers, and nothing is left over`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'),
      fc.array(anyDeed, { minLength: 5, maxLength: 40, size: 'max' }),
      async (strategy, deeds) => {
        const { register, call, clock, telephony, live, errors, rows, switchboard, agentStates } = queueBed(
          { announceSeconds: 20, maxWaitSeconds: 60, exitKey: '0', wrapupSeconds: 2, maxWaiting: 5 },
          { strategy, failover: 'hangup||' },
        );
        register(...EIDS);
        const pick = <T>(list: readonly T[], who: number): T | undefined =>
          list[who % Math.max(1, list.length)];
        const check = (): void => {
          const addresses = live().map(({ address }) => address);
          if (new Set(addresses).size < addresses.length) throw new Error(`rung twice: ${addresses.join()}`);
          for (const leg of telephony.came) {
            const silent = leg.state === 'answered' && leg.playing === null && leg.other === null;
            if (silent) throw new Error(`a caller hears nothing: ${leg.did.join()}`);
          }
        };
        for (const { what, who, waitMs } of deeds) {
          const callers = telephony.came.filter(({ state }) => state !== 'ended');
          if (what === 'call') await call(who % 3 === 0 ? '200' : '100');
          if (what === 'answer')
            pick(
              live().filter(({ state }) => state !== 'answered'),
              who,
            )?.remote.answer();
          if (what === 'refuse')
            pick(
              live().filter(({ state }) => state !== 'answered'),
              who,
            )?.remote.refuse('busy');
          if (what === 'caller leaves') pick(callers, who)?.remote.hangUp();
          if (what === 'agent leaves')
            pick(
              live().filter(({ state }) => state === 'answered'),
              who,
            )?.remote.hangUp();
          if (what === 'key') pick(callers, who)?.remote.press(who % 2 === 0 ? '0' : '5');
          for (const leg of telephony.came) if (who % 2 === 0) leg.remote.listenToEnd();
          check();
          clock.advance(waitMs);
          check();
        }
        // Everybody is talked to or gives up; then nothing may be left.
        for (const leg of telephony.came) leg.remote.hangUp();
        clock.advance(1_000);
        expect(errors).toEqual([]);
        expect(rows).toHaveLength(telephony.came.length);
        expect([
          switchboard.environment.queues.waiting,
          switchboard.count,
          agentStates.busyAgents,
          clock.running,
        ]).toEqual([0, 0, 0, 0]);
      },
    ),
    { numRuns: SCENARIOS },
  );
});

// Click to call, on the test bed.
import { describe, expect, it } from 'vitest';
import { MemoryAllowance } from '../../sharing/memory/allowance.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { agentRecord, lastDialled } from '../testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from '../testing/office.ts';
import { MAX_RINGING } from './click-to-call.ts';

describe('click to call', () => {
  const click = { id: 'promised', eid: '4', number: '1002' };

  it('rings the agent, then the number; the call has the promised id', async () => {
    const { telephony, switchboard, rows, begun, clock, agentStates } = office();
    for (const id of ['acme/4', 'acme/2']) telephony.register(id);
    expect(switchboard.operator.clickToCall('acme', click)).toBeNull();
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { id: 'promised', state: 'calling_agent' },
    ]);
    const agentLeg = lastDialled(telephony);
    expect(agentStates.isBusy('acme/4')).toBe(true);
    agentLeg.remote.answer();
    const other = lastDialled(telephony);
    expect(other).not.toBe(agentLeg);
    expect(agentLeg.did.at(-1)).toBe('play ringback tone');
    other.remote.answer();
    expect(agentLeg.other).toBe(other);
    agentLeg.remote.hangUp();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: 'promised', caller: '1004', dialled: '1002', answeredBy: '2' });
    expect(begun).toEqual(['promised']);
    expect([switchboard.count, clock.running, agentStates.busyAgents]).toEqual([0, 0, 0]);
  });

  it('dials only numbers that the trunk’s rules allow', () => {
    const { telephony, switchboard } = office();
    telephony.register('acme/4');
    telephony.setTrunks([TRUNK]);
    expect(switchboard.operator.clickToCall('acme', { ...click, number: '+49301234' })).toEqual({
      refused: 'number-not-allowed',
    });
    expect(telephony.dialled).toHaveLength(0);
    expect(switchboard.operator.clickToCall('acme', { ...click, number: '+441234' })).toBeNull();
    lastDialled(telephony).remote.answer();
    expect(lastDialled(telephony).address).toBe('+441234 by acme/t1');
  });

  it('to an agent at a registered phone takes one outbound slot, for the number', () => {
    const { telephony, switchboard } = office({ max_outbound_calls: 1 });
    telephony.register('acme/4');
    telephony.setTrunks([TRUNK]);
    expect(switchboard.operator.clickToCall('acme', { ...click, number: '+441234' })).toBeNull();
    lastDialled(telephony).remote.answer();
    expect(lastDialled(telephony).address).toBe('+441234 by acme/t1');
  });

  it.each([
    ['busy', 'agent-busy'],
    ['declined', 'agent-busy'],
    ['unreachable', 'agent-unreachable'],
    ['failed', 'agent-unreachable'],
  ] as const)('whose agent is %s is recorded as %s, with the leg', async (outcome, endCode) => {
    const { telephony, switchboard, rows } = office();
    telephony.register('acme/4');
    void switchboard.operator.clickToCall('acme', click);
    lastDialled(telephony).remote.refuse(outcome);
    await expect.poll(() => rows).toMatchObject([{ id: 'promised', endCode, answeredBy: null }]);
    expect(JSON.parse(rows[0]?.json ?? '').legs).toMatchObject([{ role: 'caller', number: '1004' }]);
  });

  it('stops ringing when the service stops, and its record says so', async () => {
    const { telephony, switchboard, rows } = office();
    telephony.register('acme/4');
    void switchboard.operator.clickToCall('acme', click);
    switchboard.hangUpAll();
    expect(lastDialled(telephony).state).toBe('ended');
    await expect.poll(() => rows).toMatchObject([{ id: 'promised', endCode: 'service-stopped' }]);
  });

  it('whose record cannot be made is reported, and harms no other call', async () => {
    const { telephony, switchboard, errors } = office();
    telephony.register('acme/4');
    switchboard.calls.recordCall = () => {
      throw new Error('a bug');
    };
    void switchboard.operator.clickToCall('acme', click);
    lastDialled(telephony).remote.refuse('busy');
    await expect.poll(() => errors).toHaveLength(1);
  });

  it('leaves a record of both sides: the agent was rung before the call began', async () => {
    const { telephony, switchboard, rows, journalled, clock } = office();
    for (const id of ['acme/4', 'acme/2']) telephony.register(id);
    void switchboard.operator.clickToCall('acme', click);
    const agent = lastDialled(telephony);
    clock.advance(1000);
    agent.remote.ring();
    clock.advance(3000);
    agent.remote.answer();
    const called = lastDialled(telephony);
    called.remote.ring();
    clock.advance(2000);
    called.remote.answer();
    clock.advance(5000);
    expect(journalled).toMatchObject([0, { atMs: 2000, leg: { beganMs: 0, rangMs: 0 } }]);
    agent.remote.hangUp();
    expect(rows).toMatchObject([
      { id: 'promised', ringMs: 2000, talkMs: 5000, index: { outcome: 'answered' } },
    ]);
    expect(JSON.parse(rows[0]?.json ?? '').legs).toMatchObject([
      {
        role: 'caller',
        agent: '4',
        began_at_ms: -4000,
        ringing_at_ms: -3000,
        answered_at_ms: 0,
        ended_at_ms: 7000,
      },
      {
        role: 'called',
        agent: '2',
        began_at_ms: 0,
        ringing_at_ms: 0,
        answered_at_ms: 2000,
        ended_at_ms: 7000,
      },
    ]);
  });

  it('leaves a record when the agent does not answer', async () => {
    const { telephony, switchboard, rows, clock, agentStates } = office();
    telephony.register('acme/4');
    void switchboard.operator.clickToCall('acme', click);
    clock.advance(2000);
    lastDialled(telephony).remote.ring();
    clock.advance(23_000);
    await Promise.resolve();
    await Promise.resolve();
    expect(rows).toMatchObject([{ id: 'promised', endCode: 'no-answer', answeredBy: null, ringMs: 23_000 }]);
    expect([switchboard.count, clock.running, agentStates.busyAgents]).toEqual([0, 0, 0]);
  });

  it('whose phone did not even ring has no time of ringing', async () => {
    const { telephony, switchboard, rows, clock } = office();
    telephony.register('acme/4');
    void switchboard.operator.clickToCall('acme', click);
    clock.advance(25_000);
    await Promise.resolve();
    await Promise.resolve();
    expect(rows).toMatchObject([{ endCode: 'no-answer', ringMs: 0 }]);
    expect(JSON.parse(rows[0]?.json ?? '').legs).toMatchObject([
      { ringing_at_ms: null, ended_at_ms: 25_000 },
    ]);
  });

  it('records who cancelled it, and cannot be transferred or listened to before the agent answers', async () => {
    const { telephony, switchboard, rows } = office();
    telephony.register('acme/4');
    void switchboard.operator.clickToCall('acme', click);
    expect(switchboard.operator.transferTo('acme', 'promised', 'caller', 'ivr||main', OPERATOR)).toBe(
      'not-connected',
    );
    expect(switchboard.operator.listenIn('acme', 'promised', '1', 'monitor')).toBe('not-connected');
    expect(switchboard.operator.transferTo('other', 'promised', 'caller', 'ivr||main', OPERATOR)).toBe(
      'unknown',
    );
    expect(switchboard.operator.listenIn('other', 'promised', '1', 'monitor')).toBe('unknown');
    expect(switchboard.operator.hangUp('acme', 'promised')).toBe(true);
    await Promise.resolve();
    await Promise.resolve();
    expect(rows).toMatchObject([{ id: 'promised', endCode: 'operator-hung-up' }]);
  });

  it('to an agent on an outside telephone takes an outbound slot, and gives no right to transfer (threat T1)', async () => {
    const { telephony, switchboard, call } = office({ max_outbound_calls: 1 });
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    telephony.setTrunks([TRUNK]);
    expect(switchboard.operator.clickToCall('acme', { ...click, eid: '7' })).toBeNull();
    const mobile = lastDialled(telephony);
    expect(mobile.address).toBe('+447777 by acme/t1');
    const outside = () => telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(await outside()).toEqual({ status: 403 });
    mobile.remote.answer();
    lastDialled(telephony).remote.answer();
    expect(await outside()).toEqual({ status: 403 });
    expect(mobile.remote.transfer('100')).toBe(false);
    mobile.remote.hangUp();
    expect(await call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toBeInstanceOf(FakeLeg);
    expect(switchboard.operator.clickToCall('acme', { ...click, eid: '7' })).toEqual({
      refused: 'outbound-full',
    });
  });

  it('is refused for agents without the product, and for blocked, busy, unreachable and unknown ones', async () => {
    const { telephony, switchboard, call } = office();
    for (const id of ['acme/4', 'acme/2']) telephony.register(id);
    const refusal = async (eid: string): Promise<string | undefined> =>
      (await switchboard.operator.clickToCall('acme', { ...click, eid }))?.refused;
    expect(await refusal('1')).toBe('product-not-applied');
    expect(await refusal('5')).toBe('agent-blocked');
    expect(await refusal('6')).toBe('agent-unreachable');
    expect(await refusal('nobody')).toBe('agent-unknown');
    await call('1002', { peer: { kind: 'phone', id: 'acme/4' } });
    expect(await refusal('4')).toBe('agent-busy');
  });

  it.each(['max_calls_per_agent', 'max_legs'] as const)(
    'is refused with the limit that is reached: %s',
    (limit) => {
      const { telephony, switchboard, agentStates } = office({}, { limits: { [limit]: 0 } });
      telephony.register('acme/4');
      expect(switchboard.operator.clickToCall('acme', click)).toEqual({ refused: limit });
      expect([telephony.dialled.length, agentStates.busyAgents]).toEqual([0, 0]);
    },
  );

  it('is refused beyond clicks_per_minute', () => {
    const { telephony, switchboard, clock } = office({ clicks_per_minute: 1 });
    telephony.register('acme/4');
    expect(switchboard.operator.clickToCall('acme', click)).toBeNull();
    switchboard.operator.hangUp('acme', 'promised');
    expect(switchboard.operator.clickToCall('acme', click)).toEqual({
      refused: 'too-many',
      retryAfterSeconds: 60,
    });
    clock.advance(20_000);
    expect(switchboard.operator.clickToCall('acme', click)).toEqual({
      refused: 'too-many',
      retryAfterSeconds: 40,
    });
    clock.advance(40_000);
    expect(switchboard.operator.clickToCall('acme', click)).toBeNull();
    const none = office({ clicks_per_minute: 0 });
    none.telephony.register('acme/4');
    expect(none.switchboard.operator.clickToCall('acme', click)).toEqual({
      refused: 'too-many',
      retryAfterSeconds: 60,
    });
  });

  it('is refused beyond clicks_per_minute of all nodes', async () => {
    const clicks = new MemoryAllowance({ most: 0 }, () => 45_000);
    // By other nodes.
    for (let click = 0; click < 3; click++) clicks.take('acme', 4);
    const { telephony, switchboard } = office({ clicks_per_minute: 4 }, { clicks });
    telephony.register('acme/4');
    expect(await switchboard.operator.clickToCall('acme', click)).toBeNull();
    switchboard.operator.hangUp('acme', 'promised');
    expect(await switchboard.operator.clickToCall('acme', click)).toEqual({
      refused: 'too-many',
      retryAfterSeconds: 15,
    });
  });

  it('rings at most MAX_RINGING agents of an account at once, and the next when one has stopped', () => {
    const eids = Array.from({ length: MAX_RINGING + 1 }, (_, index) => `clicker-${index}`);
    const agents = eids.map((eid, index) => agentRecord(eid, `20${index}`, { product_clicktocall: 1 }));
    const { telephony, switchboard } = office({ clicks_per_minute: 1_000 }, { agents });
    for (const eid of eids) telephony.register(`acme/${eid}`);
    const ask = (eid = '') =>
      switchboard.operator.clickToCall('acme', { id: `call of ${eid}`, eid, number: '1002' });
    for (const eid of eids.slice(0, MAX_RINGING)) expect(ask(eid)).toBeNull();
    expect(ask(eids.at(-1))).toEqual({ refused: 'too-many', retryAfterSeconds: 1 });
    expect(telephony.dialled).toHaveLength(MAX_RINGING);
    switchboard.operator.hangUp('acme', `call of ${eids[0]}`);
    expect(ask(eids.at(-1))).toBeNull();
  });
});

describe('a call that the API places', () => {
  const placed = { id: 'promised', number: '+441111', destination: 'extension||3', variables: {} };

  it('is refused where no trunk lets agents call the number, as the number or as the destination', () => {
    const { telephony, switchboard } = office({}, { trunk: { agents_may_call: false } });
    telephony.setTrunks([TRUNK]);
    expect(switchboard.operator.clickToCall('acme', placed)).toEqual({ refused: 'number-not-allowed' });
    expect(telephony.dialled).toHaveLength(0);
    const may = office();
    may.telephony.setTrunks([TRUNK]);
    const away = { ...placed, destination: 'number||+49900' };
    expect(may.switchboard.operator.clickToCall('acme', away)).toEqual({ refused: 'destination-unknown' });
  });

  it('follows an agent to the number that the account chose, also by a trunk that is not for agents', () => {
    const onlyFlow = { prefix: '+4412', strip: 0, add: '' };
    const { telephony, switchboard } = office(
      {},
      { more: [{ outbound_prefixes: [onlyFlow], agents_may_call: false }] },
    );
    telephony.setTrunks([TRUNK, { ...TRUNK, id: 'acme/t2' }]);
    expect(switchboard.operator.clickToCall('acme', placed)).toBeNull();
    expect(switchboard.operator.liveCallsOf('acme')).toMatchObject([{ id: 'promised', state: 'ringing' }]);
    const first = lastDialled(telephony);
    expect(first.address).toBe('+441111 by acme/t1');
    first.remote.answer();
    expect(lastDialled(telephony).address).toBe('+441234 by acme/t2');
  });

  it('to a number that it names itself goes by trunks for agents alone', () => {
    const onlyFlow = { prefix: '+4412', strip: 0, add: '' };
    const { telephony, switchboard } = office(
      {},
      { more: [{ outbound_prefixes: [onlyFlow], agents_may_call: false }] },
    );
    telephony.setTrunks([TRUNK, { ...TRUNK, id: 'acme/t2' }]);
    expect(
      switchboard.operator.clickToCall('acme', { ...placed, destination: 'number||+441299' }),
    ).toBeNull();
    lastDialled(telephony).remote.answer();
    expect(lastDialled(telephony).address).toBe('+441299 by acme/t1');
  });
});

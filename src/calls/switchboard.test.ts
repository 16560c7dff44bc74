// Whole calls without a telephone: the switchboard, the machine and the line, against the fake telephone world on a
// virtual clock. The same with real sockets and sound is in test/calls.
import { describe, expect, it } from 'vitest';
import { BLOCKED_NUMBER, CALLER_ID_RULE } from '../../test/support/payload.ts';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import { AGENT_DEFAULTS, type Agent } from '../domain/agent.ts';
import { type BlockedNumber, BlockList } from '../domain/blocked-number.ts';
import { type CallerIdRule, CallerIdRules } from '../domain/caller-id-rule.ts';
import { agentNode } from '../domain/compile.ts';
import type { Trunk } from '../domain/trunk.ts';
import { makeFlow } from '../flow/flow.ts';
import type { FlowNode, MenuNode } from '../flow/node.ts';
import type { CallRow } from '../storage/ports/calls.ts';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../telephony/fake/fake-telephony.ts';
import { CallEvents, type PublishedEvent } from './events/call-events.ts';
import { MAX_RINGING } from './operator/click-to-call.ts';
import { AgentStates } from './queues/agent-states.ts';
import { callRow } from './records/call-row.ts';
import type { AccountRoutes } from './routing/routing.ts';
import { Switchboard } from './switchboard.ts';

const agent = (eid: string, intercom: string, more: Partial<Agent> = {}): Agent => ({
  ...AGENT_DEFAULTS,
  name: `Agent ${intercom}`,
  eid,
  intercom,
  sip: { realm: 'dialtree', md5: `md5-${eid}`, sha256: `sha-${eid}` },
  ...more,
});

const menu: MenuNode = {
  kind: 'menu',
  ref: 'ivr||main',
  name: 'Main',
  recording: 'welcome',
  timeoutSeconds: 5,
  options: [
    { keys: '1', destination: 'extension||1', smsTemplate: null },
    { keys: '2', destination: 'department||sales', smsTemplate: null },
    { keys: '3', destination: 'extension||3', smsTemplate: null },
  ],
  incorrectCount: 1,
  invalidRecording: 'invalid',
  recordingInvalid: null,
  invalidDestination: 'hangup||',
  timeoutRetryRecording: 'still-there',
  timeoutRecording: 'goodbye',
  timeoutDestination: 'hangup||',
  timeoutTries: 0,
};

const sales: FlowNode = {
  kind: 'department',
  ref: 'department||sales',
  name: 'Sales',
  agents: ['extension||1', 'extension||2'],
  strategy: 'round_robin',
  ringSeconds: null,
  failover: null,
  queue: null,
};

const trunk: Trunk = {
  name: 'provider',
  host: '198.51.100.7',
  port: 5060,
  transport: 'udp',
  addresses: ['198.51.100.7'],
  username: '',
  sealed_password: null,
  register: false,
  inbound_numbers: [],
  outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
  agents_may_call: true,
  caller_id: null,
  max_calls: 10,
  enabled: true,
};

/** The trunk as the telephone side knows it. */
const OUTSIDE = {
  name: 'outside',
  host: 'x',
  port: 0,
  protocol: 'udp',
  addresses: [],
  username: '',
  password: '',
  register: false,
  maxCalls: 10,
  callerId: null,
} as const;

const stored = <T>(id: string, data: T) => ({ id, version: 1, createdAtMs: 0, updatedAtMs: 0, data });

interface WorldOptions {
  readonly agents?: readonly Agent[];
  readonly soundless?: boolean;
  readonly blocks?: readonly Partial<BlockedNumber>[];
  readonly rules?: readonly Partial<CallerIdRule>[];
  readonly sensitive?: boolean;
}

function world(settings: Partial<Settings> = {}, options: WorldOptions = {}) {
  const { agents: more = [], soundless = false, blocks = [], rules = [], sensitive = false } = options;
  const blocked = new BlockList();
  for (const block of blocks) blocked.add({ ...BLOCKED_NUMBER, ...block });
  const agents = [
    agent('1', '1001'),
    agent('2', '1002'),
    agent('3', '1003', { follow_me_number: '+441234' }),
    agent('4', '1004', { product_clicktocall: 1 }),
    agent('5', '1005', { product_clicktocall: 1, custom_status: 1 }),
    agent('6', '1006', { product_clicktocall: 1 }),
    agent('7', '1007', { product_clicktocall: 1, follow_me_number: '+447777' }),
    ...more,
  ];
  const recordings = ['welcome', 'invalid', 'still-there', 'goodbye'];
  const account: AccountRoutes = {
    id: 'acme',
    settings: { ...DEFAULT_SETTINGS, ...settings },
    flow: makeFlow({
      nodes: [{ ...menu, sensitive }, sales, ...agents.map(agentNode)],
      recordings: recordings.map((id) => ({ id, name: id, durationMs: 2000 })),
    }),
    numbers: new Map([['100', 'ivr||main']]),
    agents: new Map(agents.map((each) => [each.eid, each])),
    intercoms: new Map(agents.map((each) => [each.intercom, each])),
    sounds: new Map(soundless ? [] : recordings.map((id) => [id, `sound of ${id}`])),
    trunks: [stored('t1', trunk)],
    blocked,
    callerIds: new CallerIdRules(
      rules.map((data, index) => stored(`r${index}`, { ...CALLER_ID_RULE, ...data })),
      (department) => (department === 'sales' ? ['1', '2'] : []),
    ),
    webhooks: [],
  };
  const clock = new VirtualClock();
  const rows: CallRow[] = [];
  const errors: unknown[] = [];
  const agentStates = new AgentStates();
  const callEvents = new CallEvents((error) => void errors.push(error));
  const switchboard = new Switchboard({
    routing: {
      account: (id) => (id === 'acme' ? account : undefined),
      accounts: () => [account],
      fresh: () => null,
    },
    agentStates,
    clock,
    writer: { add: (facts, result) => void rows.push(callRow(facts, result)) },
    callEvents,
    callRecordings: {
      begin: () => {
        throw new Error('nothing is recorded here; recorder.test.ts does that');
      },
    },
    smsWriter: { queue: () => null },
    failed: (error) => void errors.push(error),
    ended: () => undefined,
  });
  const telephony = new FakeTelephony(switchboard);
  switchboard.use(telephony);
  const call = async (dialled: string, more: Parameters<FakeTelephony['call']>[1] = {}): Promise<FakeLeg> => {
    const leg = await telephony.call(dialled, more);
    if (!(leg instanceof FakeLeg)) throw new Error(`refused with ${leg.status}`);
    return leg;
  };
  return { switchboard, telephony, clock, rows, errors, agentStates, callEvents, call };
}

const lastOf = (telephony: FakeTelephony): FakeLeg => {
  const leg = telephony.dialled.at(-1);
  if (!leg) throw new Error('nobody was dialled');
  return leg;
};

describe('a call', () => {
  it('hears the menu, presses a key and talks to an agent; the record says so', async () => {
    const { telephony, clock, rows, call, switchboard } = world();
    telephony.register('acme/1');
    const caller = await call('100');
    expect(caller.did).toEqual(['answer', 'play sound of welcome']);
    clock.advance(700);
    caller.remote.press('1');
    expect(caller.did.slice(2)).toEqual(['stop', 'play ringback tone']);
    const phone = lastOf(telephony);
    phone.remote.ring();
    clock.advance(3000);
    phone.remote.answer();
    expect(caller.other).toBe(phone);
    clock.advance(60_000);
    caller.remote.hangUp();
    expect(phone.state).toBe('ended');
    expect(switchboard.count).toBe(0);
    expect(clock.running).toBe(0);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      accountId: 'acme',
      direction: 'inbound',
      caller: '+15550100',
      dialled: '100',
      entry: 'ivr||main',
      endCode: 'caller-hung-up',
      cause: 16,
      answeredBy: '1',
      ringMs: 3000,
      talkMs: 60_000,
    });
    const record = JSON.parse(rows[0]?.json ?? '') as { trail: { code: string }[]; legs: { role: string }[] };
    expect(record.trail.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['playing', 'key-pressed', 'option-matched', 'ringing', 'connected', 'ended']),
    );
    expect(record.legs.map(({ role }) => role)).toEqual(['caller', 'called']);
  });

  it('keeps nothing of the keys that belong to a conversation: they may be a PIN', async () => {
    const { telephony, rows, call } = world();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    lastOf(telephony).remote.answer();
    for (const key of '4711') caller.remote.press(key);
    caller.remote.hangUp();
    const { keys, events } = JSON.parse(rows[0]?.json ?? '') as Record<'keys' | 'events', { key?: string }[]>;
    expect(keys.map(({ key }) => key)).toEqual(['1']);
    expect(events.flatMap(({ key }) => key ?? [])).toEqual(['1']);
  });

  it('hides the keys of a sensitive menu in all that is kept and told of it, but goes where they lead', async () => {
    const { telephony, rows, callEvents, call } = world({}, { sensitive: true });
    const told: PublishedEvent[] = [];
    callEvents.subscribe((each) => void told.push(each));
    telephony.register('acme/1');
    const caller = await call('100', { caller: null });
    for (const key of '9#1') caller.remote.press(key);
    caller.remote.press('5');
    expect(telephony.dialled).toHaveLength(1);
    caller.remote.hangUp();
    const { keys, events, trail } = JSON.parse(rows[0]?.json ?? '') as Record<
      'keys' | 'events' | 'trail',
      { key?: string; keys?: string; text?: string }[]
    >;
    expect(keys.map(({ key }) => key)).toEqual(['•', '•', '•', '•']);
    expect(events.flatMap(({ key }) => key ?? [])).toEqual(['•', '•', '•', '•']);
    expect(new Set(trail.flatMap((line) => line.keys ?? []))).toEqual(new Set(['•']));
    expect(trail.map(({ text }) => text).join(' ')).not.toMatch(/pressed [^•]|Key [^•]|[ (][95#]/);
    expect(told.flatMap(({ data }) => data['keys'] ?? [])).toEqual(['•', '•', '•', '•']);
    expect(rows[0]?.index?.counts).toContainEqual({ subject: 'ivr||main', measure: 'option •', value: 1 });
  });

  it('fails over when nobody answers, and the phone stops ringing', async () => {
    const { telephony, clock, rows, call } = world();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    const phone = lastOf(telephony);
    clock.advance(25_000);
    expect(phone.state).toBe('ended');
    expect(caller.did.at(-1)).toBe('play apology');
    caller.remote.listenToEnd();
    expect(caller.did.at(-1)).toBe('hang up 19');
    expect(rows[0]).toMatchObject({ endCode: 'no-answer', answeredBy: null, talkMs: 0 });
  });

  it('rings the number to follow over the trunk beside the phone, and the first answer wins', async () => {
    const { telephony, call, agentStates } = world();
    telephony.register('acme/3');
    telephony.setTrunks([{ id: 'acme/t1' } as never]);
    const caller = await call('100');
    caller.remote.press('3');
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['acme/3', '+441234 by acme/t1']);
    telephony.dialled[1]?.remote.answer();
    expect(telephony.dialled[0]?.state).toBe('ended');
    expect(caller.other).toBe(telephony.dialled[1]);
    expect(agentStates.isBusy('acme/3')).toBe(true);
    caller.remote.hangUp();
    expect(agentStates.isBusy('acme/3')).toBe(false);
    expect(telephony.legs).toBe(0);
  });

  it('an agent in a call is busy for the next caller, unless set so', async () => {
    for (const several of [false, true]) {
      const { telephony, call } = world({ several_calls_per_agent: several });
      telephony.register('acme/1');
      const first = await call('100');
      first.remote.press('1');
      lastOf(telephony).remote.answer();
      const second = await call('100');
      second.remote.press('1');
      expect(telephony.dialled).toHaveLength(several ? 2 : 1);
      expect(second.did.at(-1)).toBe(several ? 'play ringback tone' : 'play apology');
    }
  });

  it('round robin goes on after the agent who was rung last', async () => {
    const { telephony, call } = world();
    telephony.register('acme/1');
    telephony.register('acme/2');
    for (let index = 0; index < 3; index++) {
      const caller = await call('100');
      caller.remote.press('2');
      lastOf(telephony).remote.answer();
      caller.remote.hangUp();
    }
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['acme/1', 'acme/2', 'acme/1']);
  });

  it('a phone that answers when it is no longer wanted is hung up', async () => {
    const { telephony, clock, call } = world();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    caller.remote.hangUp();
    lastOf(telephony).remote.answer();
    expect(lastOf(telephony).state).toBe('ended');
    expect(clock.running).toBe(0);
  });

  it('a recording without a sound is replaced by a tone, and the trail says so', async () => {
    const { call, rows } = world({}, { soundless: true });
    const caller = await call('100');
    expect(caller.did).toContain('play missing tone');
    caller.remote.hangUp();
    expect(rows[0]?.json).toContain('recording-missing');
  });

  it('one thrown error ends that call with an apology and no other', async () => {
    const { telephony, call, errors, rows, switchboard } = world();
    telephony.register('acme/1');
    const well = await call('100');
    const ill = await call('100');
    ill.connect = () => {
      throw new Error('the bridge fell down');
    };
    ill.remote.press('1');
    lastOf(telephony).remote.answer();
    expect(ill.did.at(-1)).toBe('play apology');
    ill.remote.listenToEnd();
    expect(ill.state).toBe('ended');
    expect(errors).toHaveLength(1);
    expect(rows.map(({ endCode }) => endCode)).toEqual(['internal-error']);
    expect(switchboard.count).toBe(1);
    expect(well.state).toBe('answered');
    expect(telephony.legs).toBe(1);
  });

  it('a caller who gave up while the call was looked up leaves a record and no call', async () => {
    const { switchboard, rows } = world();
    const leg = new FakeLeg('early', 'incoming', '100', () => undefined);
    leg.remote.hangUp();
    const peer = { kind: 'local' } as const;
    expect(
      switchboard.called({
        leg,
        peer,
        dialled: '100',
        toUser: '100',
        caller: null,
        callerName: '',
        callId: 'x',
      }),
    ).toBeNull();
    await Promise.resolve();
    expect(switchboard.count).toBe(0);
    expect(rows.map(({ endCode }) => endCode)).toEqual(['caller-hung-up']);
  });

  it('whose sound stayed away did not hang up: the record says who ended the call, and why', async () => {
    const { call, rows } = world();
    const caller = await call('100');
    caller.remote.vanish();
    expect(rows[0]?.endCode).toBe('caller-lost');
    expect(rows[0]?.cause).toBe(102);
  });

  it('is told when the service stops for good', async () => {
    const { call, rows, switchboard, telephony } = world();
    const caller = await call('100');
    switchboard.hangUpAll();
    expect(caller.state).toBe('ended');
    expect(rows[0]).toMatchObject({ endCode: 'service-stopped', cause: 41 });
    expect(telephony.legs).toBe(0);
  });
});

describe('several accounts with one provider', () => {
  it('the trunk is the one whose account has the number; nobody has it: any', () => {
    const { switchboard } = world();
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['100', ''])).toBe('acme/t1');
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['999', '+100'])).toBe('acme/t1');
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['999', ''])).toBe('other/t');
  });
});

describe('who may call whom', () => {
  it('strangers on this machine reach published numbers and nothing else', async () => {
    const { telephony } = world();
    for (const dialled of ['1001', '+441234', '999', '', 'main']) {
      expect(await telephony.call(dialled)).toEqual({ status: 404 });
    }
    expect(await world({ loopback_calls: false }).telephony.call('100')).toEqual({ status: 404 });
  });

  it('a trunk reaches published numbers, and no agent or outside number', async () => {
    const { telephony, call } = world();
    const peer = { kind: 'trunk', id: 'acme/t1' } as const;
    expect((await call('100', { peer })).state).toBe('answered');
    expect(await telephony.call('1001', { peer })).toEqual({ status: 404 });
    expect(await telephony.call('+441234', { peer })).toEqual({ status: 404 });
    expect(await telephony.call('100', { peer: { kind: 'trunk', id: 'acme/gone' } })).toEqual({
      status: 403,
    });
    // A provider that we registered at dials our user name; the number is in To.
    expect((await call('our-user-name', { peer, toUser: '+100' })).state).toBe('answered');
  });

  it('an agent reaches colleagues, numbers, and the world as far as the trunk lets agents out', async () => {
    const { telephony, call, rows } = world();
    telephony.register('acme/2');
    telephony.setTrunks([{ id: 'acme/t1' } as never]);
    const peer = { kind: 'phone', id: 'acme/1' } as const;
    const colleague = await call('1002', { peer, caller: '1001' });
    expect(colleague.did).toEqual(['ring']);
    lastOf(telephony).remote.answer();
    expect(colleague.did).toEqual(['ring', 'answer', 'connect acme/2']);
    colleague.remote.hangUp();
    await call('+447700900123', { peer, caller: '1001' });
    expect(lastOf(telephony).address).toBe('+447700900123 by acme/t1');
    expect(await telephony.call('+19005551234', { peer })).toEqual({ status: 403 });
    expect(rows[0]).toMatchObject({ direction: 'internal', caller: '1001' });
  });

  it('an agent who is calling is busy for others', async () => {
    const { telephony, call, agentStates } = world();
    telephony.register('acme/1');
    telephony.register('acme/2');
    const own = await call('1002', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(agentStates.isBusy('acme/1')).toBe(true);
    own.remote.hangUp();
    expect(agentStates.isBusy('acme/1')).toBe(false);
  });
});

describe('blind transfer', () => {
  it('the agent sends the caller to a colleague and is out of the call', async () => {
    const { telephony, call, rows, agentStates, switchboard } = world();
    telephony.register('acme/1');
    telephony.register('acme/2');
    const caller = await call('100');
    caller.remote.press('1');
    const first = lastOf(telephony);
    first.remote.answer();
    expect(first.remote.transfer('1002')).toBe(true);
    await Promise.resolve();
    expect(first.state).toBe('ended');
    expect(agentStates.isBusy('acme/1')).toBe(false);
    const second = lastOf(telephony);
    expect(second.address).toBe('acme/2');
    second.remote.answer();
    expect(caller.other).toBe(second);
    caller.remote.hangUp();
    expect(rows.map(({ endCode }) => endCode)).toEqual(['transferred', 'caller-hung-up']);
    expect(switchboard.count).toBe(0);
    expect(telephony.legs).toBe(0);
  });

  it('a calling agent sends the called one elsewhere', async () => {
    const { telephony, call, agentStates } = world();
    telephony.register('acme/2');
    telephony.register('acme/3');
    const agent1 = await call('1002', { peer: { kind: 'phone', id: 'acme/1' } });
    const agent2 = lastOf(telephony);
    agent2.remote.answer();
    expect(agent1.remote.transfer('1003')).toBe(true);
    await Promise.resolve();
    expect(agent1.state).toBe('ended');
    lastOf(telephony).remote.answer();
    expect(agent2.other?.address).toBe('acme/3');
    expect([
      agentStates.isBusy('acme/1'),
      agentStates.isBusy('acme/2'),
      agentStates.isBusy('acme/3'),
    ]).toEqual([false, true, true]);
    agent2.remote.hangUp();
    expect(agentStates.busyAgents).toBe(0);
    expect(telephony.legs).toBe(0);
  });

  it('does not make a phone of the trunk that an agent was followed to', async () => {
    const { telephony, call, agentStates } = world();
    telephony.register('acme/2');
    telephony.setTrunks([{ id: 'acme/t1' } as never]);
    const agent1 = await call('1003', { peer: { kind: 'phone', id: 'acme/1' } });
    const mobile = lastOf(telephony);
    expect(mobile.address).toBe('+441234 by acme/t1');
    mobile.remote.answer();
    expect(mobile.remote.transfer('1002')).toBe(false);
    expect(agent1.remote.transfer('1002')).toBe(true);
    await Promise.resolve();
    lastOf(telephony).remote.answer();
    expect(mobile.other?.address).toBe('acme/2');
    expect(agentStates.isBusy('acme/3')).toBe(true);
    expect(mobile.remote.transfer('+44999')).toBe(false);
    mobile.remote.hangUp();
    expect(agentStates.busyAgents).toBe(0);
  });

  it('is refused to callers from outside and to numbers no trunk lets out', async () => {
    const { telephony, call } = world();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    const phone = lastOf(telephony);
    phone.remote.answer();
    expect(caller.remote.transfer('1002')).toBe(false);
    expect(phone.remote.transfer('+19005551234')).toBe(false);
    expect(caller.other).toBe(phone);
  });
});

describe('the news of calls', () => {
  it('is told in order, from the first ring to the end, and the same call is in all of it', async () => {
    const { call, telephony, callEvents, rows } = world();
    const told: PublishedEvent[] = [];
    callEvents.subscribe((each) => void told.push(each));
    telephony.register('acme/1');
    const leg = await call('100');
    leg.remote.press('1');
    lastOf(telephony).remote.answer();
    leg.remote.hangUp();
    expect(told.map(({ type }) => type)).toEqual([
      'call.received',
      'call.menu_entered',
      'call.key',
      'call.option',
      'call.ringing',
      'call.answered',
      'call.ended',
    ]);
    expect(new Set(told.map(({ callId }) => callId))).toEqual(new Set([rows[0]?.id]));
    expect(told.map(({ id }) => id)).toEqual(told.map(({ id }) => id).toSorted());
  });

  it('says that a call was missed when agents were rung and none answered', async () => {
    const { call, callEvents, telephony } = world();
    telephony.register('acme/1');
    const told: string[] = [];
    callEvents.subscribe(({ type }) => void told.push(type));
    const leg = await call('100');
    leg.remote.press('1');
    leg.remote.hangUp();
    expect(told.slice(-2)).toEqual(['call.missed', 'call.ended']);
  });

  it('harms no call when a listener throws', async () => {
    const { call, callEvents, errors, rows } = world();
    callEvents.subscribe(() => {
      throw new Error('listener');
    });
    const leg = await call('100');
    leg.remote.hangUp();
    expect(rows).toHaveLength(1);
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe('the block list', () => {
  it('refuses a caller before anything is answered, writes it down, and leaves nothing behind', async () => {
    const { telephony, rows, switchboard, callEvents } = world(
      {},
      { blocks: [{ number: '+49900*', reason: 'spam' }] },
    );
    const told: string[] = [];
    callEvents.subscribe(({ type }) => told.push(type));
    expect(await telephony.call('100', { caller: '+499001234' })).toEqual({ status: 603 });
    expect(rows).toMatchObject([
      { caller: '+499001234', dialled: '100', endCode: 'caller-blocked', cause: 21, direction: 'inbound' },
    ]);
    expect(JSON.parse(rows[0]?.json ?? '{}').trail).toMatchObject([
      { text: 'The block list has +49900* (spam): the call is refused.' },
    ]);
    expect([switchboard.count, telephony.legs, told]).toEqual([0, 0, ['call.ended']]);
    expect(await telephony.call('100', { caller: '+49901234' })).toBeInstanceOf(FakeLeg);
  });

  it('also by a trunk and for withheld numbers, but never for an agent’s own phone', async () => {
    const blocks = [{ number: null, anonymous: true }, { number: '1001' }, { number: '+15550100' }];
    const { telephony } = world({}, { blocks });
    const trunk = { kind: 'trunk', id: 'acme/t1' } as const;
    expect(await telephony.call('100', { caller: null })).toEqual({ status: 603 });
    expect(await telephony.call('100', { peer: trunk })).toEqual({ status: 603 });
    expect(await telephony.call('100', { peer: trunk, caller: null })).toEqual({ status: 603 });
    const own = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('100', { peer: own, caller: '1001' })).toBeInstanceOf(FakeLeg);
  });

  it('for one dialled number keeps others open, also where the provider writes it into To', async () => {
    const { telephony } = world(
      {},
      {
        blocks: [
          { number: '4930', dialled: '+100' },
          { number: '4931', dialled: '200' },
        ],
      },
    );
    const peer = { kind: 'trunk', id: 'acme/t1' } as const;
    expect(await telephony.call('100', { caller: '+4930' })).toEqual({ status: 603 });
    expect(await telephony.call('our-user-name', { toUser: '100', peer, caller: '4930' })).toEqual({
      status: 603,
    });
    expect(await telephony.call('100', { caller: '+4931' })).toBeInstanceOf(FakeLeg);
  });
});

describe('caller-id rules', () => {
  const followed = async (rules: readonly Partial<CallerIdRule>[], caller: string | null = '+15550100') => {
    const { telephony, call } = world({}, { rules });
    telephony.setTrunks([{ id: 'acme/t1' } as never]);
    const leg = await call('100', { caller });
    leg.remote.press('3');
    return telephony.targets.at(-1);
  };

  it('decide what a call to a number to follow shows', async () => {
    const target = { kind: 'trunk', id: 'acme/t1', number: '+441234' };
    expect(await followed([])).toEqual(target);
    expect(await followed([{ show: 'caller' }])).toEqual({ ...target, shown: '+15550100' });
    expect(await followed([{ show: 'caller' }], null)).toEqual({ ...target, shown: null });
    expect(await followed([{ agent: 'extension||3', show: '+4930' }])).toEqual({ ...target, shown: '+4930' });
    expect(await followed([{ agent: 'extension||1', show: '+4930' }])).toEqual(target);
  });

  it('decide what an agent’s own call shows, by department and prefix', async () => {
    const rules = [{ department: 'department||sales', prefix: '44', show: 'withhold' }];
    const { telephony, call } = world({}, { rules });
    telephony.setTrunks([{ id: 'acme/t1' } as never]);
    await call('+4420', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    expect(telephony.targets.at(-1)).toMatchObject({ number: '+4420', shown: null });
    await call('+4421', { peer: { kind: 'phone', id: 'acme/3' }, caller: '1003' });
    expect(telephony.targets.at(-1)).toEqual({ kind: 'trunk', id: 'acme/t1', number: '+4421' });
  });
});

describe('what is asked of live calls', () => {
  it('shows what each is doing, to its own account alone', async () => {
    const { call, telephony, switchboard } = world();
    telephony.register('acme/1');
    const leg = await call('100');
    expect(switchboard.liveCallsOf('acme')).toMatchObject([
      { caller: '+15550100', dialled: '100', state: 'menu', node: 'ivr||main', agent: null },
    ]);
    leg.remote.press('1');
    expect(switchboard.liveCallsOf('acme')).toMatchObject([{ state: 'ringing', node: 'extension||1' }]);
    lastOf(telephony).remote.answer();
    expect(switchboard.liveCallsOf('acme')).toMatchObject([{ state: 'connected', agent: '1' }]);
    expect(switchboard.liveCallsOf('other')).toEqual([]);
    leg.remote.hangUp();
    expect(switchboard.liveCallsOf('acme')).toEqual([]);
  });

  it('hangs up a call of the account and of no other', async () => {
    const { call, switchboard, rows } = world();
    const leg = await call('100');
    const id = switchboard.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.hangUp('other', id)).toBe(false);
    expect(leg.state).not.toBe('ended');
    expect(switchboard.hangUp('acme', id)).toBe(true);
    expect(leg.state).toBe('ended');
    expect(rows[0]).toMatchObject({ endCode: 'operator-hung-up', cause: 16 });
    expect(switchboard.hangUp('acme', id)).toBe(false);
  });

  it('sends a caller elsewhere, from the menu, while phones ring, and out of a conversation', async () => {
    const { call, telephony, switchboard, rows, clock } = world();
    for (const id of ['acme/1', 'acme/2', 'acme/3']) telephony.register(id);
    const leg = await call('100');
    const idNow = (): string => switchboard.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.transferTo('acme', idNow(), 'caller', 'extension||1')).toBe('transferred');
    const first = lastOf(telephony);
    expect(switchboard.transferTo('acme', idNow(), 'caller', 'extension||2')).toBe('transferred');
    expect(first.state).toBe('ended');
    const second = lastOf(telephony);
    second.remote.answer();
    expect(leg.other).toBe(second);
    expect(switchboard.transferTo('acme', idNow(), 'caller', 'extension||3')).toBe('transferred');
    expect(second.state).toBe('ended');
    lastOf(telephony).remote.answer();
    expect(leg.other).toBe(lastOf(telephony));
    leg.remote.hangUp();
    expect(rows.map(({ endCode }) => endCode)).toEqual([
      'transferred',
      'transferred',
      'transferred',
      'caller-hung-up',
    ]);
    expect(switchboard.count).toBe(0);
    expect(clock.running).toBe(0);
  });

  it('rings a third to listen in: it stops ringing with the conversation, and who left makes room', async () => {
    const { call, telephony, switchboard, agentStates, clock } = world();
    for (const id of ['acme/1', 'acme/2', 'acme/4']) telephony.register(id);
    const leg = await call('100');
    const id = switchboard.liveCallsOf('acme')[0]?.id ?? '';
    const listen = (mode: 'monitor' | 'whisper' = 'monitor', eid = '2') =>
      switchboard.listenIn('acme', id, eid, mode);
    expect(listen()).toBe('not-connected');
    leg.remote.press('1');
    const agentLeg = lastOf(telephony);
    agentLeg.remote.answer();
    expect([listen('monitor', '6'), listen('monitor', '1'), listen('monitor', 'x')]).toEqual([
      'agent-unreachable',
      'agent-busy',
      'agent-unknown',
    ]);
    for (let times = 0; times < 12; times++) {
      expect(listen()).toBe('rings');
      const third = lastOf(telephony);
      expect([listen('whisper'), third.listening]).toEqual(['changed', null]);
      third.remote.answer();
      expect(third.listening).toEqual({ target: agentLeg, mode: 'whisper' });
      third.remote.hangUp();
    }
    expect(listen('monitor', '4')).toBe('rings');
    const ringing = lastOf(telephony);
    leg.remote.hangUp();
    expect(ringing.state).toBe('ended');
    expect([agentStates.busyAgents, clock.running, telephony.legs]).toEqual([0, 0, 0]);
  });

  it('lets nobody whisper to a caller from outside', async () => {
    const { call, telephony, switchboard } = world();
    telephony.register('acme/2');
    telephony.setTrunks([{ ...OUTSIDE, id: 'acme/t1' }]);
    const leg = await call('100');
    const idNow = (): string => switchboard.liveCallsOf('acme')[0]?.id ?? '';
    switchboard.transferTo('acme', idNow(), 'caller', 'number||+441111');
    const outside = lastOf(telephony);
    outside.remote.answer();
    expect(leg.other).toBe(outside);
    expect(switchboard.listenIn('acme', idNow(), '2', 'whisper')).toBe('rings');
    const third = lastOf(telephony);
    third.remote.answer();
    expect(third.listening).toEqual({ target: outside, mode: 'whisper' });
  });

  it('sends the called side elsewhere only when it has answered', async () => {
    const { call, telephony, switchboard } = world();
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    const leg = await call('100');
    leg.remote.press('1');
    const idNow = (): string => switchboard.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.transferTo('acme', idNow(), 'called', 'extension||2')).toBe('not-connected');
    expect(switchboard.transferTo('other', idNow(), 'caller', 'extension||2')).toBe('unknown');
    expect(switchboard.transferTo('acme', idNow(), 'caller', 'extension||20')).toBe('destination-unknown');
    const agentLeg = lastOf(telephony);
    agentLeg.remote.answer();
    expect(switchboard.transferTo('acme', idNow(), 'called', 'extension||2')).toBe('transferred');
    expect(leg.state).toBe('ended');
    lastOf(telephony).remote.answer();
    expect(agentLeg.other).toBe(lastOf(telephony));
  });
});

describe('click to call', () => {
  const click = { id: 'promised', eid: '4', number: '1002' };

  it('rings the agent, then the number; the call has the promised id', async () => {
    const { telephony, switchboard, rows, clock, agentStates } = world();
    for (const id of ['acme/4', 'acme/2']) telephony.register(id);
    expect(switchboard.clickToCall('acme', click)).toBeNull();
    expect(switchboard.liveCallsOf('acme')).toMatchObject([{ id: 'promised', state: 'calling_agent' }]);
    const agentLeg = lastOf(telephony);
    expect(agentStates.isBusy('acme/4')).toBe(true);
    agentLeg.remote.answer();
    const other = lastOf(telephony);
    expect(other).not.toBe(agentLeg);
    expect(agentLeg.did.at(-1)).toBe('play ringback tone');
    other.remote.answer();
    expect(agentLeg.other).toBe(other);
    agentLeg.remote.hangUp();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: 'promised', caller: '1004', dialled: '1002', answeredBy: '2' });
    expect([switchboard.count, clock.running, agentStates.busyAgents]).toEqual([0, 0, 0]);
  });

  it('goes out by the trunk’s rules, and nowhere else', () => {
    const { telephony, switchboard } = world();
    telephony.register('acme/4');
    telephony.setTrunks([{ ...OUTSIDE, id: 'acme/t1' }]);
    expect(switchboard.clickToCall('acme', { ...click, number: '+49301234' })).toEqual({
      refused: 'number-not-allowed',
    });
    expect(telephony.dialled).toHaveLength(0);
    expect(switchboard.clickToCall('acme', { ...click, number: '+441234' })).toBeNull();
    lastOf(telephony).remote.answer();
    expect(lastOf(telephony).address).toBe('+441234 by acme/t1');
  });

  it('is written down when the agent does not pick up', async () => {
    const { telephony, switchboard, rows, clock, agentStates } = world();
    telephony.register('acme/4');
    switchboard.clickToCall('acme', click);
    clock.advance(25_000);
    await Promise.resolve();
    await Promise.resolve();
    expect(rows).toMatchObject([{ id: 'promised', endCode: 'no-answer', answeredBy: null, ringMs: 25_000 }]);
    expect([switchboard.count, clock.running, agentStates.busyAgents]).toEqual([0, 0, 0]);
  });

  it('says who stopped it, and is neither transferred nor listened to before the agent picks up', async () => {
    const { telephony, switchboard, rows } = world();
    telephony.register('acme/4');
    switchboard.clickToCall('acme', click);
    expect(switchboard.transferTo('acme', 'promised', 'caller', 'ivr||main')).toBe('not-connected');
    expect(switchboard.listenIn('acme', 'promised', '1', 'monitor')).toBe('not-connected');
    expect(switchboard.transferTo('other', 'promised', 'caller', 'ivr||main')).toBe('unknown');
    expect(switchboard.hangUp('acme', 'promised')).toBe(true);
    await Promise.resolve();
    await Promise.resolve();
    expect(rows).toMatchObject([{ id: 'promised', endCode: 'operator-hung-up' }]);
  });

  it('to an agent on a telephone outside takes its room there, and gives it no right to transfer (T1)', async () => {
    const { telephony, switchboard, call } = world({ max_outbound_calls: 1 });
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    telephony.setTrunks([{ ...OUTSIDE, id: 'acme/t1' }]);
    expect(switchboard.clickToCall('acme', { ...click, eid: '7' })).toBeNull();
    const mobile = lastOf(telephony);
    expect(mobile.address).toBe('+447777 by acme/t1');
    const outside = () => telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(await outside()).toEqual({ status: 403 });
    mobile.remote.answer();
    lastOf(telephony).remote.answer();
    expect(await outside()).toEqual({ status: 403 });
    expect(mobile.remote.transfer('100')).toBe(false);
    mobile.remote.hangUp();
    expect(await call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toBeInstanceOf(FakeLeg);
    expect(switchboard.clickToCall('acme', { ...click, eid: '7' })).toEqual({ refused: 'outbound-full' });
  });

  it('is refused for those who have no product, are blocked, busy, away or unknown', async () => {
    const { telephony, switchboard, call } = world();
    telephony.register('acme/4');
    const refusal = (eid: string): string | undefined =>
      switchboard.clickToCall('acme', { ...click, eid })?.refused;
    expect(refusal('1')).toBe('product-not-applied');
    expect(refusal('5')).toBe('agent-blocked');
    expect(refusal('6')).toBe('agent-unreachable');
    expect(refusal('nobody')).toBe('agent-unknown');
    await call('1002', { peer: { kind: 'phone', id: 'acme/4' } });
    expect(refusal('4')).toBe('agent-busy');
  });

  it('is refused when it is asked for too often', () => {
    const { telephony, switchboard } = world({ clicks_per_minute: 1 });
    telephony.register('acme/4');
    expect(switchboard.clickToCall('acme', click)).toBeNull();
    switchboard.hangUp('acme', 'promised');
    expect(switchboard.clickToCall('acme', click)).toEqual({ refused: 'too-many', retryAfterSeconds: 60 });
  });

  it('rings no more agents of an account at once than MAX_RINGING, and the next when one has stopped', () => {
    const eids = Array.from({ length: MAX_RINGING + 1 }, (_, index) => `clicker-${index}`);
    const agents = eids.map((eid, index) => agent(eid, `20${index}`, { product_clicktocall: 1 }));
    const { telephony, switchboard } = world({ clicks_per_minute: 1_000 }, { agents });
    for (const eid of eids) telephony.register(`acme/${eid}`);
    const ask = (eid = '') => switchboard.clickToCall('acme', { id: `call of ${eid}`, eid, number: '1002' });
    for (const eid of eids.slice(0, MAX_RINGING)) expect(ask(eid)).toBeNull();
    expect(ask(eids.at(-1))).toEqual({ refused: 'too-many', retryAfterSeconds: 1 });
    expect(telephony.dialled).toHaveLength(MAX_RINGING);
    switchboard.hangUp('acme', `call of ${eids[0]}`);
    expect(ask(eids.at(-1))).toBeNull();
  });
});

describe('calls to the world outside', () => {
  it('are no more at once than the account allows, by whichever way they are made (T1)', async () => {
    const { telephony, switchboard, call } = world({ max_outbound_calls: 1 });
    for (const id of ['acme/4', 'acme/1']) telephony.register(id);
    telephony.setTrunks([{ ...OUTSIDE, id: 'acme/t1' }]);
    const first = await call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(await telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toEqual({
      status: 403,
    });
    expect(switchboard.clickToCall('acme', { id: 'x', eid: '4', number: '+443333' })).toEqual({
      refused: 'outbound-full',
    });
    // A menu that leads to an agent with a number to follow: that phone cannot be reached now.
    const caller = await call('100');
    caller.remote.press('3');
    expect(telephony.dialled.filter(({ address }) => address.includes('t1'))).toHaveLength(1);
    first.remote.hangUp();
    expect(await telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toBeInstanceOf(
      FakeLeg,
    );
  });

  it.each(['by the agent', 'by request'])(
    'keep their room when they are transferred %s, and give it back when they end',
    async (way) => {
      const { telephony, switchboard, call } = world({ max_outbound_calls: 1 });
      for (const id of ['acme/1', 'acme/2']) telephony.register(id);
      telephony.setTrunks([{ ...OUTSIDE, id: 'acme/t1' }]);
      const again = () => telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } });
      const agentLeg = await call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
      const outside = lastOf(telephony);
      outside.remote.answer();
      if (way === 'by the agent') expect(agentLeg.remote.transfer('1002')).toBe(true);
      else {
        const { id = '' } = switchboard.liveCallsOf('acme')[0] ?? {};
        expect(switchboard.transferTo('acme', id, 'called', 'extension||2')).toBe('transferred');
      }
      await Promise.resolve();
      lastOf(telephony).remote.answer();
      expect(outside.other?.address).toBe('acme/2');
      expect(await again()).toEqual({ status: 403 });
      outside.remote.hangUp();
      expect(await again()).toBeInstanceOf(FakeLeg);
    },
  );
});

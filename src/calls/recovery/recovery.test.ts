// Calls of one test bed that go on at another, as those of a dead node do.
import { describe, expect, it } from 'vitest';
import { callPlace, type Sealer } from '../../domain/sealer.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import type { JournalBegin } from '../records/call-journal.ts';
import type { Answer } from '../records/call-record.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';
import { readLostCall, sealCall } from './lost-calls.ts';
import { abandon, recover, storeCall } from './node-calls.ts';
import type { LostCall } from './stored-call.ts';

type Office = ReturnType<typeof office>;
const ABOUT = { from: 'node-1', by: 'node-2', lastSeenMs: 7_700, nowMs: 10_000 };
/** Only shows that what is stored is sealed, for its call. */
const SEALER: Sealer = {
  seal: (text, place) => `${place}:${text}`,
  open: (text, place) => (text.startsWith(`${place}:`) ? text.slice(place.length + 1) : null),
};

/** The only call of the office, as its row has it. */
function lost(
  { switchboard, journalled }: Office,
  changes: { recovery?: string; sealedFor?: string } = {},
): LostCall | null {
  const [call] = switchboard.calls;
  if (!call) throw new Error('there is no call');
  const { id: own } = call.facts;
  const recovery =
    changes.recovery ?? sealCall(storeCall(switchboard.calls, own), changes.sealedFor ?? own, SEALER);
  const facts: JournalBegin = call.facts;
  const answer = journalled.find((each) => typeof each === 'object') as Answer | undefined;
  const json = JSON.stringify({ facts, answer: answer ?? null });
  const { id, accountId } = facts;
  const row = { id, accountId, state: '', at: null, agent: null, ageMs: 80_000, json, recovery };
  return readLostCall({ ...row, node: 'node-2', run: '1', writtenAtMs: 0 }, ABOUT, SEALER);
}
function recovered(from: Office, settings: Parameters<typeof office>[0] = {}): Office {
  const at = office(settings);
  at.telephony.register('acme/1');
  const call = lost(from);
  if (!call) throw new Error('the call is not stored');
  expect(recover(at.switchboard.calls, call)).toBe(true);
  return at;
}
const legsOf = ({ telephony }: Office) => {
  const [caller, called] = telephony.restored;
  if (!caller) throw new Error('no leg was restored');
  return { caller, called };
};
interface Shown {
  readonly trail: readonly { readonly code: string; readonly text: string; readonly atMs: number }[];
  readonly legs: readonly { readonly role: string; readonly answered_at_ms: number }[];
  readonly events: readonly { readonly type: string }[];
  readonly [name: string]: unknown;
}
const recordOf = ({ rows }: Office): Shown => JSON.parse(rows[0]?.json ?? 'null') as Shown;

async function talking(): Promise<Office> {
  const bed = office();
  bed.telephony.register('acme/1');
  const caller = await bed.call('100');
  bed.clock.advance(1000);
  caller.remote.press('1');
  const phone = lastDialled(bed.telephony);
  phone.remote.ring();
  bed.clock.advance(3000);
  phone.remote.answer();
  return bed;
}

describe('a parked call at another node', () => {
  it('waits in its spot again, where a phone of that node takes it', async () => {
    const bed = await talking();
    lastDialled(bed.telephony).remote.transfer('701');
    await Promise.resolve();
    const at = recovered(bed);
    const { caller } = legsOf(at);
    caller.remote.answer();
    const taker = await at.call('701', { peer: { kind: 'phone', id: 'acme/2' }, caller: '1002' });
    expect(caller.other).toBe(taker);
  });
});

describe('a conversation at another node', () => {
  it('holds the outbound slot of its caller, who was dialled over a trunk and transferred', async () => {
    const limits = { max_outbound_calls: 1 };
    const bed = office(limits);
    for (const id of ['acme/1', 'acme/2']) bed.telephony.register(id);
    bed.telephony.setTrunks([TRUNK]);
    const agent = await bed.call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
    lastDialled(bed.telephony).remote.answer();
    agent.remote.transfer('1002');
    await Promise.resolve();
    lastDialled(bed.telephony).remote.answer();
    const at = recovered(bed, limits);
    at.telephony.setTrunks([TRUNK]);
    const { caller, called } = legsOf(at);
    caller.remote.answer();
    called?.remote.answer();
    const again = () => at.telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(await again()).toEqual({ status: 403 });
    caller.remote.hangUp();
    expect(await again()).toBeInstanceOf(FakeLeg);
  });

  it('that was transferred after a word has the caller of now, and names the call before', async () => {
    const bed = await talking();
    bed.telephony.register('acme/2');
    const agent = lastDialled(bed.telephony);
    const consult = await bed.call('1002', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    lastDialled(bed.telephony).remote.answer();
    agent.remote.transfer('1002', consult);
    await Promise.resolve();
    const at = recovered(bed);
    expect(at.switchboard.operator.liveCallsOf('acme')).toMatchObject([
      { state: 'connected', caller: '+15550100' },
    ]);
    const { caller, called } = legsOf(at);
    caller.remote.answer();
    called?.remote.answer();
    caller.remote.hangUp();
    expect(recordOf(at)).toMatchObject({ caller: '1001', transferred_from: { attended: true } });
  });

  it('has both legs connected again, and one record of the whole time', async () => {
    const at = recovered(await talking());
    const { caller, called } = legsOf(at);
    expect(caller.other).toBe(called);
    expect(at.switchboard.operator.liveCallsOf('acme')).toMatchObject([{ state: 'connected', agent: '1' }]);
    expect(at.agentStates.claim('other', ['acme/1'], false)).toMatchObject({ busy: ['acme/1'] });
    caller.remote.answer();
    called?.remote.answer();
    at.clock.advance(10_000);
    called?.remote.hangUp();
    expect([caller.state, at.switchboard.count, at.clock.running, at.errors]).toEqual(['ended', 0, 0, []]);
    expect(at.rows).toHaveLength(1);
    expect(at.rows[0]).toMatchObject({
      endCode: 'agent-hung-up',
      answeredBy: '1',
      ringMs: 3000,
      talkMs: 96_000,
    });
    const record = recordOf(at);
    expect(record).toMatchObject({ duration_ms: 100_000 });
    expect(record.trail.map(({ code }) => code)).toEqual(['call-started', 'connected', 'recovered', 'ended']);
    expect(record.trail[2]?.text).toBe(
      'Node node-1 ended without warning; node node-2 went on with the call after 2.3 s.',
    );
    expect(record.legs).toMatchObject([
      { role: 'caller', answered_at_ms: 0 },
      { role: 'called', answered_at_ms: 4000 },
    ]);
    expect(record.events[0]?.type).toBe('call-recovered');
  });

  it('ends with a true record when one side has hung up meanwhile', async () => {
    const at = recovered(await talking());
    const { caller, called } = legsOf(at);
    called?.remote.answer();
    caller.remote.hangUp();
    expect([called?.state, at.rows.map(({ endCode }) => endCode)]).toEqual(['ended', ['caller-hung-up']]);
  });

  it('keeps the limit of the call’s length', async () => {
    const at = recovered(await talking());
    at.clock.advance(12 * 3_600_000);
    expect(at.rows.map(({ endCode }) => endCode)).toEqual(['call-limit']);
  });

  it('can be recovered once more', async () => {
    const at = recovered(await talking());
    const { caller, called } = legsOf(at);
    const [call] = at.switchboard.calls;
    // Not before both have answered.
    expect(storeCall(at.switchboard.calls, call?.facts.id ?? '')).toBe(null);
    caller.remote.answer();
    called?.remote.answer();
    expect(JSON.parse(storeCall(at.switchboard.calls, call?.facts.id ?? '') ?? '{}')).toMatchObject({
      called: { target: { owner: 'extension||1' }, answeredMs: 4000 },
    });
  });
});

describe('a caller at another node', () => {
  it('hears the menu again from its begin, and its keys work', async () => {
    const bed = office();
    await bed.call('100');
    bed.clock.advance(1000);
    const at = recovered(bed);
    const { caller } = legsOf(at);
    expect(caller.did).toEqual(['play sound of welcome']);
    caller.remote.answer();
    caller.remote.press('1');
    lastDialled(at.telephony).remote.answer();
    expect(caller.other).toBe(lastDialled(at.telephony));
    caller.remote.hangUp();
    expect(
      recordOf(at)
        .trail.map(({ code }) => code)
        .slice(0, 3),
    ).toEqual(['call-started', 'recovered', 'arrived']);
  });

  it('for whom a phone rang has it rung again', async () => {
    const bed = office();
    bed.telephony.register('acme/1');
    const first = await bed.call('100');
    first.remote.press('1');
    const at = recovered(bed);
    expect(at.telephony.targets).toEqual([{ kind: 'phones', id: 'acme/1' }]);
    legsOf(at).caller.remote.hangUp();
    expect(lastDialled(at.telephony).state).toBe('ended');
  });

  it('is not recovered where the account or the place in the flow is gone', async () => {
    const bed = office();
    await bed.call('100');
    const at = office();
    const call = lost(bed);
    if (!call) throw new Error('the call is not stored');
    expect(recover(at.switchboard.calls, { ...call, facts: { ...call.facts, accountId: 'gone' } })).toBe(
      false,
    );
    const elsewhere = { ...call.stored, node: 'ivr||gone' } as const;
    expect(recover(at.switchboard.calls, { ...call, stored: elsewhere })).toBe(false);
    expect([at.telephony.restored, at.switchboard.count]).toEqual([[], 0]);
    for (const recovery of ['', '{}', 'null', '{"node":1}'])
      expect(lost(bed, { recovery: SEALER.seal(recovery, callPlace(call.facts.id)) })).toBe(null);
    expect(lost(bed, { sealedFor: 'another' })).toBe(null);
  });
});

it('what other nodes have is dropped: no hang-up, no record', async () => {
  const bed = await talking();
  const [call] = bed.switchboard.calls;
  const [caller] = bed.telephony.came;
  const phone = lastDialled(bed.telephony);
  abandon(bed.switchboard.calls, [call?.facts.id ?? '', 'unknown']);
  for (const leg of [caller, phone]) {
    expect(leg?.did.at(-1)).toBe('abandon');
    expect(leg?.did.some((each) => each.startsWith('hang up'))).toBe(false);
  }
  expect([bed.switchboard.count, bed.rows, bed.clock.running]).toEqual([0, [], 0]);
  expect(bed.agentStates.claim('other', ['acme/1'], false)).toMatchObject({ busy: [] });
});

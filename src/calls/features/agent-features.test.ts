// Do not disturb, forwarding, call waiting and intercom by star codes, on the test bed.
import { describe, expect, it, vi } from 'vitest';
import { readData } from '../../domain/row.ts';
import { agentRecord, lastDialled } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';
import { StoredAgentSettings } from './agent-settings.ts';

const PREFIXES = [{ prefix: '0044', strip: 0, add: '' }];
const AGENT = { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' } as const;

describe('star codes of an agent', () => {
  it.each([
    ['*78', { do_not_disturb: true }],
    ['*79', { do_not_disturb: false }],
    ['*70', { call_waiting: true }],
    ['*71', { call_waiting: false }],
    ['*721002', { forward_always: 'extension||2' }],
    ['*73', { forward_always: null }],
    ['*90100', { forward_busy: 'ivr||main' }],
    ['*91', { forward_busy: null }],
    ['*520044123456', { forward_no_answer: 'number||0044123456' }],
    ['*53', { forward_no_answer: null }],
  ])('%s changes the record', async (dialled, change) => {
    const { call, settings } = office({ country: 'DE' }, { trunk: { outbound_prefixes: PREFIXES } });
    const leg = await call(dialled, AGENT);
    expect(settings).toEqual([{ agent: 'acme/1', ...change }]);
    expect(leg.did[0]).toBe('answer');
    expect(leg.did[1]).toMatch(/^play (de)?activated$/);
  });

  it.each([
    ['a number that no trunk routes', '*720033123456', {}],
    [
      'a number that agents may not call',
      '*720044123456',
      { trunk: { agents_may_call: false, outbound_prefixes: PREFIXES } },
    ],
    ['oneself', '*721001', {}],
  ])('forward nothing to %s (T1)', async (_what, dialled, options) => {
    const { call, settings } = office({ country: 'DE' }, options);
    const leg = await call(dialled, AGENT);
    expect(settings).toEqual([]);
    expect(leg.did).toEqual(['answer', 'play star-code-failed']);
  });
});

describe('a forwarded call', () => {
  it('goes out by trunks that agents may call by alone (T1)', async () => {
    const forwards = { forward_always: 'number||+44123456' };
    const agents = [agentRecord('8', '1008', forwards)];
    for (const agents_may_call of [true, false]) {
      const { call, telephony } = office({}, { agents, trunk: { agents_may_call } });
      telephony.setTrunks([{ id: 'acme/t1' } as never]);
      await call('1008', AGENT);
      expect(telephony.dialled).toHaveLength(agents_may_call ? 1 : 0);
    }
  });
});

describe('call waiting', () => {
  it.each([
    [true, false, 2],
    [null, true, 2],
    [null, false, 1],
    [false, true, 1],
  ])('of the agent %s and of the account %s: %i calls ring', async (call_waiting, several, count) => {
    const agents = [agentRecord('8', '1008', { call_waiting })];
    const { call, telephony } = office({ several_calls_per_agent: several }, { agents });
    telephony.register('acme/8');
    await call('1008', AGENT);
    lastDialled(telephony).remote.answer();
    await call('1008', { peer: { kind: 'phone', id: 'acme/2' }, caller: '1002' });
    expect(telephony.dialled).toHaveLength(count);
  });
});

describe('intercom', () => {
  it('asks the phones of the colleague to answer, and no others', async () => {
    const { call, telephony } = office();
    for (const id of ['acme/2', 'acme/3']) telephony.register(id);
    const dial = vi.spyOn(telephony, 'dial');
    await call('*801002', AGENT);
    expect(dial.mock.calls[0]?.[1]).toMatchObject({ autoAnswer: true });
    await call('1003', AGENT);
    expect(dial.mock.calls.at(-1)?.[1]).not.toHaveProperty('autoAnswer');
  });

  it('is refused where the account says so, and to what is no intercom number', async () => {
    const { telephony } = office({ intercom_auto_answer: false });
    expect(await telephony.call('*801002', AGENT)).toMatchObject({ status: 403 });
    expect(await office().telephony.call('*809999', AGENT)).toMatchObject({ status: 404 });
  });
});

describe('settings of an agent', () => {
  const row = (version: number, name = 'Ann') => {
    const { eid, intercom, sip } = agentRecord('7', '1007');
    return {
      id: 'r7',
      version,
      createdAtMs: 0,
      updatedAtMs: 0,
      json: JSON.stringify({ name, eid, intercom, sip }),
    };
  };

  it('are changed again when another writer came between, and keep what that one wrote', async () => {
    const rows = [row(1), row(2, 'Ann B.')];
    const updateRecord = vi.fn(async ({ expectedVersion }: { expectedVersion?: number; json: string }) =>
      expectedVersion === 2
        ? { outcome: 'updated' as const, version: 3 }
        : { outcome: 'version_changed' as const, version: 2 },
    );
    const stored = new StoredAgentSettings(
      { findRecordId: async () => 'r7', getRecord: async () => rows.shift() ?? null, updateRecord } as never,
      () => 5,
    );
    expect(await stored.change('acme', '7', { do_not_disturb: true })).toBe(true);
    expect(readData('agent', updateRecord.mock.calls[1]?.[0].json ?? '')).toMatchObject({
      name: 'Ann B.',
      do_not_disturb: true,
    });
    expect(updateRecord.mock.calls[1]?.[0]).toMatchObject({
      by: { id: 'phone of agent 7', name: 'Ann B.' },
      keys: [{ value: '7' }, { value: '1007' }],
    });
  });

  it('that are so already are not written, and those of no agent neither', async () => {
    const updateRecord = vi.fn();
    const storage = { findRecordId: async () => 'r7', getRecord: async () => row(1), updateRecord };
    expect(await new StoredAgentSettings(storage as never, () => 5).change('acme', '7', {})).toBe(true);
    const none = { ...storage, findRecordId: async () => null };
    expect(
      await new StoredAgentSettings(none as never, () => 5).change('acme', '9', { do_not_disturb: true }),
    ).toBe(false);
    expect(updateRecord).not.toHaveBeenCalled();
  });
});

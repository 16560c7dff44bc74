// Star codes on the test bed: who may dial them, what the phone hears, and what the record says.
import { describe, expect, it, vi } from 'vitest';
import { office } from '../testing/office.ts';
import { MAX_PER_MINUTE } from './feature-calls.ts';

const AGENT = { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' } as const;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a star code', () => {
  it('is answered, confirmed by sounds and ended, and its record says what was done', async () => {
    const { call, rows, switchboard, agentStates, clock } = office();
    const leg = await call('*65', AGENT);
    expect(leg.did).toEqual(['answer', 'play digit-1']);
    expect([switchboard.count, agentStates.isBusy('acme/1')]).toEqual([1, true]);
    clock.advance(400);
    for (let sound = 0; sound < 4; sound++) leg.remote.listenToEnd();
    expect(leg.did.slice(1)).toEqual([
      'play digit-1',
      'play digit-0',
      'play digit-0',
      'play digit-1',
      'hang up 16',
    ]);
    await settled();
    expect([switchboard.count, agentStates.isBusy('acme/1'), clock.running]).toEqual([0, false, 0]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      direction: 'internal',
      caller: '1001',
      dialled: '*65',
      endCode: 'star-code-done',
    });
    expect(rows[0]?.index?.outcome).toBe('completed');
    expect(JSON.parse(rows[0]?.json ?? '').trail).toMatchObject([
      { code: 'star-code', text: 'Star code *65. Said the intercom number 1001.' },
      { code: 'ended' },
    ]);
  });

  it('is over when the agent hangs up first, and after 20 s without a report of the sound', async () => {
    const { call, rows, switchboard, clock } = office();
    (await call('*65', AGENT)).remote.hangUp();
    const silent = await call('*65', AGENT);
    clock.advance(20_000);
    expect(silent.state).toBe('ended');
    await settled();
    expect(rows.map(({ endCode }) => endCode)).toEqual(['star-code-done', 'star-code-done']);
    expect(switchboard.count).toBe(0);
  });

  it('is for phones of agents alone', async () => {
    const { telephony } = office();
    expect(await telephony.call('*65', { peer: { kind: 'trunk', id: 'acme/t1' } })).toMatchObject({
      status: 404,
    });
    expect(await telephony.call('*65')).toMatchObject({ status: 404 });
    expect(await telephony.call('*65', { peer: { kind: 'phone', id: 'acme/none' } })).toMatchObject({
      status: 403,
    });
  });

  it('has precedence over trunks, but not over a number of the account', async () => {
    const { call, telephony } = office(
      {},
      { trunk: { outbound_prefixes: [{ prefix: '*', strip: 0, add: '' }] } },
    );
    expect((await call('*65', AGENT)).did).toContain('answer');
    expect(telephony.dialled).toEqual([]);
    const { call: other } = office({}, { numbers: { '*65': 'ivr||main' } });
    expect((await other('*65', AGENT)).did).toEqual(['answer', 'play sound of welcome']);
  });

  it('may be dialled 30 times a minute by one agent', async () => {
    const { call, telephony, clock, rows } = office();
    for (let each = 0; each < MAX_PER_MINUTE; each++) (await call('*65', AGENT)).remote.hangUp();
    expect(await telephony.call('*65', AGENT)).toMatchObject({ status: 486 });
    await vi.waitFor(() => expect(rows).toHaveLength(MAX_PER_MINUTE + 1));
    expect((await call('*65', { peer: { kind: 'phone', id: 'acme/2' } })).did).toContain('answer');
    clock.advance(60_000);
    expect((await call('*65', AGENT)).did).toContain('answer');
  });

  it('ends with the service', async () => {
    const { call, switchboard, rows } = office();
    const leg = await call('*65', AGENT);
    switchboard.hangUpAll();
    expect(leg.state).toBe('ended');
    await settled();
    expect([switchboard.count, rows.length]).toEqual([0, 1]);
  });
});

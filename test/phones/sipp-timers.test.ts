// What takes the RFC's long timers: 32 s without an ACK, 45 s to a session refresh, a caller who is never heard of again. They all
// wait at the same time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinct } from '../support/phone/sip-text.ts';
import { call, type Json } from '../support/service.ts';
import { noTransactions, nothingLeft, recordOf } from './support/observe.ts';
import { type Office, openOffice } from './support/office.ts';
import { has } from './support/program.ts';
import type { SippResult } from './support/sipp.ts';

const AGENTS = ['trunk-asks-at-refresh'] as const;

describe.runIf(has('sipp'))('long waits with SIPp', () => {
  let office: Office<(typeof AGENTS)[number]>;
  let brisk: Office<never>;
  beforeAll(async () => {
    office = await openOffice(AGENTS, { env: { RTP_TIMEOUT_SECONDS: '300' } });
    brisk = await openOffice([], { env: { RTP_TIMEOUT_SECONDS: '5' } });
    const { json } = await call(office.pbx.url, 'GET', '/v1/trunks');
    const { id, has_password: _, created_at: _c, updated_at: _u, version: _v, ...fields } = json.data[0];
    const body = { ...fields, username: 'dialtree', password: 'hush-hush' };
    expect((await call(office.pbx.url, 'PUT', `/v1/trunk/${id}`, { body })).status).toBe(200);
  });
  afterAll(async () => {
    await office.pbx.remove();
    await brisk.pbx.remove();
  });

  const went = (result: SippResult): void =>
    expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });

  describe.concurrent('all at once', () => {
    it('no ACK: the 200 comes again, ever more slowly, and after 32 s a BYE (RFC 3261 §13.3.1.4)', async () => {
      const result = await office.caller('never-acknowledges', 'silent');
      went(result);
      const received = result.messages.filter(({ way }) => way === 'received');
      const times = received.filter(({ text }) => text.includes(' INVITE\r') || / INVITE$/m.test(text));
      const oks = times.filter(({ first }) => first.startsWith('SIP/2.0 200'));
      const gaps = oks.slice(1).map(({ atMs }, index) => atMs - (oks[index]?.atMs ?? 0));
      // T1 doubles up to T2, and stays there: 0.5, 1, 2 and 4 s, then 4 s each. Exact to the millisecond in src/sip.
      console.log(`200 again after ${gaps.map(Math.round).join(', ')} ms`);
      expect(gaps.length, result.story).toBeGreaterThanOrEqual(7);
      expect(gaps.length, result.story).toBeLessThanOrEqual(10);
      const sum = (some: readonly number[]): number => some.reduce((all, gap) => all + gap, 0);
      expect(sum(gaps.slice(0, 3)), result.story).toBeLessThan(sum(gaps.slice(-3)));
      const place = (text: string): number => received.findLastIndex(({ first }) => first.startsWith(text));
      expect(place('BYE')).toBeGreaterThan(place('SIP/2.0 200'));
      const record = await recordOf(office.pbx, 'silent');
      expect(record.legs[0]).toMatchObject({ ended_by: 'timeout', packets_sent: 0 });
    });

    it('no BYE: a caller who sends no sound any more is let go', async () => {
      went(await brisk.caller('vanishes', 'ghost'));
      const record = await recordOf(brisk.pbx, 'ghost');
      expect(record.legs[0]).toMatchObject({ role: 'caller', ended_by: 'timeout', cause: 102 });
      expect(record.duration_ms).toBeGreaterThan(4_900);
      await nothingLeft(brisk.pbx);
    });

    it('glare: a re-INVITE that meets ours gets 491 (RFC 3261 §14.2)', async () => {
      went(await office.caller('glare', 'glaring', { seconds: 80 }));
      expect(await recordOf(office.pbx, 'glaring')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('a trunk that wants the password for our re-INVITE does not get it (T6)', async () => {
      const agent = await office.agent('trunk-asks-at-refresh', { seconds: 80 });
      const user = office.numberOf('trunk-asks-at-refresh');
      const caller = await office.caller('talks-for-50-s', 'patient', { user, seconds: 80 });
      went(caller);
      const result = await agent.stop();
      const received = distinct(result.messages.filter(({ way }) => way === 'received'));
      expect(received.filter(({ first }) => first.startsWith('INVITE'))).toHaveLength(2);
      expect(received.filter(({ text }) => /^(proxy-)?authorization:/im.test(text))).toEqual([]);
      const record: Json = await recordOf(office.pbx, 'patient');
      expect(record).toMatchObject({ answered_by: '9200' });
    });
  });

  it('leaves nothing behind: no call, leg, stream or transaction', async () => {
    await nothingLeft(office.pbx);
    await noTransactions(office.pbx);
    await noTransactions(brisk.pbx);
  });
});

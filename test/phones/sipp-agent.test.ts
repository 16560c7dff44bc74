// SIPp is called: an agent behind a trunk or registered, who answers, is busy, never answers, answers too late. The caller is
// another SIPp, or our own phone where somebody has to listen.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { distinct } from '../support/phone/sip-text.ts';
import { call, type Json } from '../support/service.ts';
import { gauge, noTransactions, nothingLeft, recordOf } from './support/observe.ts';
import { MENU, type Office, openOffice, TONES } from './support/office.ts';
import { writePackets } from './support/packets.ts';
import { freePort, has } from './support/program.ts';
import { runSipp, Sipp, type SippResult } from './support/sipp.ts';

const AGENTS = [
  'agent-answers',
  'agent-hangs-up',
  'agent-busy',
  'agent-declines',
  'agent-never-answers',
  'agent-crosses-cancel',
  'agent-early-media',
  'agent-wants-longer',
  'trunk-asks-again',
] as const;

describe.runIf(has('sipp'))('an agent with SIPp', () => {
  let office: Office<(typeof AGENTS)[number]>;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-packets-'));
    office = await openOffice(AGENTS, {
      settings: { ring_seconds: 3 },
      agents: { '1001': {} },
      numbers: { '401': 'extension||91001' },
    });
    // The password of a trunk is sealed by the service itself.
    const { json } = await call(office.pbx.url, 'GET', '/v1/trunks');
    const trunk = json.data.find(({ name }: Json) => name === 'trunk-asks-again');
    const { id, has_password: _, created_at: _c, updated_at: _u, version: _v, ...fields } = trunk;
    const body = { ...fields, username: 'dialtree', password: 'hush-hush' };
    const { status, text } = await call(office.pbx.url, 'PUT', `/v1/trunk/${id}`, { body });
    expect(status, text).toBe(200);
  });
  afterAll(async () => {
    await office.pbx.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const went = (result: SippResult): void =>
    expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });
  const by = (user: string, password: string) => ({ more: ['-au', user, '-ap', password] });
  const codes = (record: Json): string[] => record.steps.map(({ code }: Json) => code);

  describe.concurrent('while others call', () => {
    it('is reached by a key (RFC 4733) and hangs up', async () => {
      const keys = join(folder, 'key-2.pcap');
      writePackets(keys, { keys: office.keyOf('agent-hangs-up'), toneHz: TONES.talk, toneMs: 3_000 });
      const agent = await office.agent('agent-hangs-up');
      went(await office.caller('presses-keys', 'chooser', { user: MENU, keys: { keys } }));
      went(await agent.ended);
      const record = await recordOf(office.pbx, 'chooser');
      expect(record).toMatchObject({ end_code: 'agent-hung-up', answered_by: '9201' });
      expect(codes(record)).toEqual(expect.arrayContaining(['key-pressed', 'option-matched', 'connected']));
      expect(record.steps.filter(({ code }: Json) => code === 'key-pressed')).toHaveLength(1);
      const [caller, called] = ['caller', 'called'].map((role) =>
        record.legs.find((leg: Json) => leg.role === role && leg.outcome === 'ended'),
      );
      // A second of the caller's tone went over to the agent.
      expect(caller.packets_received).toBeGreaterThan(60);
      expect(called.packets_sent).toBeGreaterThan(40);
    });

    it('hears and is heard: the tone that our phone sends comes back through both bridges', async () => {
      const agent = await office.agent('agent-answers', { more: ['-rtp_echo'] });
      const phone = await Phone.open({ server: office.pbx.sip, user: 'listener' });
      try {
        const talk = await phone.call(MENU);
        await talk.answered();
        await talk.hears(TONES.welcome);
        await talk.pressKeys(office.keyOf('agent-answers'));
        await talk.sendTone(TONES.talk);
        await talk.hears(TONES.talk, { forMs: 500 });
        await talk.hangUp();
      } finally {
        phone.close();
      }
      went(await agent.ended);
      expect(await recordOf(office.pbx, 'listener')).toMatchObject({
        end_code: 'caller-hung-up',
        answered_by: '9200',
      });
    });

    it.each([
      ['agent-busy', 'agent-busy'],
      ['agent-declines', 'agent-busy'],
      ['agent-never-answers', 'no-answer'],
    ] as const)('%s: the call goes on to the failover', async (agent, code) => {
      const sipp = await office.agent(agent);
      const caller = `to-${agent}`;
      went(await office.caller('hung-up-on', caller, { user: office.numberOf(agent) }));
      went(await sipp.ended);
      const record = await recordOf(office.pbx, caller);
      expect(codes(record)).toEqual(expect.arrayContaining([code, 'failover']));
      expect(record).toMatchObject({ end_code: 'hang-up-reached', answered_by: null });
    });

    it('answers in the moment in which we give up: ACK, then BYE', async () => {
      const agent = await office.agent('agent-crosses-cancel');
      const user = office.numberOf('agent-crosses-cancel');
      went(await office.caller('hung-up-on', 'crossing', { user }));
      went(await agent.ended);
      const record = await recordOf(office.pbx, 'crossing');
      expect(codes(record)).toEqual(expect.arrayContaining(['no-answer', 'failover']));
      expect(record.answered_by).toBe(null);
    });

    it('sends reliable early media: our PRACK comes (RFC 3262 §4)', async () => {
      const agent = await office.agent('agent-early-media');
      const user = office.numberOf('agent-early-media');
      went(await office.caller('answer-and-hang-up', 'early', { user }));
      went(await agent.ended);
      expect(await recordOf(office.pbx, 'early')).toMatchObject({ answered_by: '9206' });
    });

    it('finds our session interval too small: we ask again with its own (RFC 4028 §7.3)', async () => {
      const agent = await office.agent('agent-wants-longer');
      const user = office.numberOf('agent-wants-longer');
      went(await office.caller('answer-and-hang-up', 'longer', { user }));
      went(await agent.ended);
      expect(await recordOf(office.pbx, 'longer')).toMatchObject({ answered_by: '9207' });
    });

    it('gets the password for the INVITE, never for the BYE (T6)', async () => {
      const agent = await office.agent('trunk-asks-again');
      const user = office.numberOf('trunk-asks-again');
      went(await office.caller('answer-and-hang-up', 'trusting', { user }));
      const result = await agent.ended;
      went(result);
      const received = distinct(result.messages.filter(({ way }) => way === 'received'));
      const withPassword = received.filter(({ text }) => /^(proxy-)?authorization:/im.test(text));
      expect(withPassword.map(({ first }) => first.split(' ')[0])).toEqual(['INVITE']);
      expect(received.filter(({ first }) => first.startsWith('BYE'))).toHaveLength(1);
    });

    it('registers with its password, is called on that flow, and leaves', async () => {
      const port = await freePort();
      const base = { server: office.pbx.sip, port, user: '1001', ...by('1001', PASSWORD) };
      went(await runSipp({ ...base, scenario: 'registers' }));
      expect(await gauge(office.pbx, 'registrations')).toBe(0);
      went(await runSipp({ ...base, scenario: 'stays-registered' }));
      expect(await gauge(office.pbx, 'registrations')).toBe(1);
      const agent = await Sipp.start({ ...base, scenario: 'agent-answers' });
      went(await office.caller('answer-and-hang-up', 'to-registered', { user: '401' }));
      went(await agent.ended);
      expect(await recordOf(office.pbx, 'to-registered')).toMatchObject({ answered_by: '91001' });
      // One that stayed would be pinged, in vain.
      went(await runSipp({ ...base, scenario: 'leaves' }));
      expect(await gauge(office.pbx, 'registrations')).toBe(0);
    });

    it('is not registered with a wrong password, nor for too short a time', async () => {
      const base = { server: office.pbx.sip, user: '1001' };
      went(await runSipp({ ...base, scenario: 'wrong-password', ...by('1001', 'wrong') }));
      went(await runSipp({ ...base, scenario: 'too-brief', ...by('1001', PASSWORD) }));
    });
  });

  it('leaves nothing behind: no call, leg, stream or transaction', async () => {
    await nothingLeft(office.pbx);
    await noTransactions(office.pbx);
  });
});

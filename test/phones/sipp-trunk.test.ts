// SIPp as a provider with the habits that providers have: a proxy before the registrar, a name for authentication alone, calls to our
// registration from another address, numbers in To, several hosts of which one has no service.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { distinct } from '../support/phone/sip-text.ts';
import { call, type Json } from '../support/service.ts';
import { recordOf, recordsOf } from './support/observe.ts';
import { freePort, has } from './support/program.ts';
import { headersOf, Sipp, type SippMessage } from './support/sipp.ts';

const [PROXY, ELSEWHERE, CLOSED, OPEN] = ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'] as const;
const first = (messages: readonly SippMessage[], method: string): SippMessage[] =>
  messages.filter(({ way, first: line }) => way === 'received' && line.startsWith(`${method} `));

describe.runIf(has('sipp'))('a provider with SIPp', () => {
  let pbx: Pbx;
  const ports = { registrar: 0, closed: 0, open: 0 };
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, text, json } = await call(pbx.url, method, path, body === undefined ? {} : { body });
    expect(status, text).toBeLessThan(300);
    return json;
  };

  beforeAll(async () => {
    ports.registrar = await freePort(PROXY);
    ports.closed = await freePort(CLOSED);
    ports.open = await freePort(OPEN);
    pbx = await startPbx({
      agents: { '1001': {} },
      menus: { main: { timeout: 30 } },
      numbers: { '+4930123456': 'ivr||main' },
    });
    await ask('PATCH', '/v1/settings', { country: 'DE', area_code: '030', loopback_calls: false });
  });
  afterAll(() => pbx?.remove());

  it('is registered at by its proxy, and its calls to our Contact are its calls from wherever they come', async () => {
    const registrar = await Sipp.start({
      scenario: 'provider-registers',
      server: pbx.sip,
      host: PROXY,
      port: ports.registrar,
    });
    const trunk = await ask('POST', '/v1/trunk', {
      name: 'Registrar',
      host: 'provider.example',
      outbound_proxy: `${PROXY}:${ports.registrar}`,
      username: 'our-name',
      auth_username: 'auth-name',
      password: PASSWORD,
      register: true,
      inbound_by_registration: true,
      inbound_format: 'digits',
    });
    const seen = await registrar.ended;
    expect(seen, seen.story).toMatchObject({ code: 0, successful: 1 });
    const [, register] = first(seen.messages, 'REGISTER');
    expect(register?.first).toBe('REGISTER sip:provider.example SIP/2.0');
    expect(headersOf(register as SippMessage, 'route')).toEqual([`<sip:${PROXY}:${ports.registrar};lr>`]);
    expect(headersOf(register as SippMessage, 'to')).toEqual(['<sip:our-name@provider.example>']);
    const [contact = ''] = headersOf(register as SippMessage, 'contact');
    const line = /;line=([0-9a-f]{32})>/.exec(contact)?.[1] ?? '';
    expect(line).not.toBe('');
    expect(await ask('GET', `/v1/trunk/${trunk.id}/state`)).toMatchObject({
      registered: true,
      reachable: null,
    });

    const calls = async (token: string, caller: string) => {
      const sipp = await Sipp.start({
        scenario: 'provider-calls',
        server: pbx.sip,
        host: ELSEWHERE,
        user: '4930123456',
        keys: { line: token, caller },
      });
      return sipp.ended;
    };
    const answered = await calls(line, '4940555123');
    expect(answered, answered.story).toMatchObject({ code: 0, successful: 1 });
    expect(answered.messages.some(({ first: text }) => text.startsWith('SIP/2.0 200'))).toBe(true);
    expect(await recordOf(pbx, '+4940555123')).toMatchObject({
      caller: '+4940555123',
      caller_name: 'Ann',
      dialled: '+4930123456',
      direction: 'inbound',
      identity: { verstat: 'passed', diversions: [{ number: '004930777', reason: 'unconditional' }] },
    });
    const forged = await calls('0'.repeat(32), '4940555124');
    expect(forged.messages.some(({ first: text }) => text.startsWith('SIP/2.0 404'))).toBe(true);
    expect(await recordsOf(pbx, '+4940555124')).toEqual([]);
  });

  it('has a second host where the first has no service, and gets numbers and the caller as it asks', async () => {
    const closed = await Sipp.start({
      scenario: 'provider-is-closed',
      server: pbx.sip,
      host: CLOSED,
      port: ports.closed,
    });
    const open = await Sipp.start({
      scenario: 'agent-answers',
      server: pbx.sip,
      host: OPEN,
      port: ports.open,
    });
    await ask('POST', '/v1/trunk', {
      name: 'Two hosts',
      host: CLOSED,
      port: ports.closed,
      backup_hosts: [`${OPEN}:${ports.open}`],
      addresses: [],
      username: 'our-name',
      from_user: 'username',
      from_domain: 'customer.example',
      identity_header: 'ppi',
      outbound_prefixes: ['0'],
      outbound_format: 'digits',
      agents_may_call: true,
      caller_id: '030123456',
    });
    const phone = await Phone.open({ server: pbx.sip, user: '1001', password: PASSWORD });
    try {
      expect(await phone.register()).toBe(200);
      const talk = await phone.call('040555777');
      await talk.answered();
      const refused = await closed.ended;
      expect(first(distinct(refused.messages), 'INVITE'), refused.story).toHaveLength(1);
      await talk.hangUp().catch(() => undefined);
      const seen = await open.ended;
      const [invite] = first(seen.messages, 'INVITE');
      expect(invite?.first).toBe(`INVITE sip:4940555777@${CLOSED}:${ports.closed} SIP/2.0`);
      expect(headersOf(invite as SippMessage, 'from')[0]).toContain('<sip:our-name@customer.example>');
      expect(headersOf(invite as SippMessage, 'p-preferred-identity')[0]).toContain(
        '<sip:4930123456@customer.example>',
      );
    } finally {
      phone.close();
      await Promise.all([closed.stop(), open.stop()]);
    }
  });
});

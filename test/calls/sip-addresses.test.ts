// SIP addresses elsewhere, in real calls: a second SIP peer is rung and heard by tone, and what goes wrong on the wire leads on. Over TLS keys of
// SRTP are offered, `sips:` insists on them, and a certificate of another name ends it.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { SdpOptions } from '../support/phone/sdp-text.ts';
import { header } from '../support/phone/sip-text.ts';
import { tlsFiles } from '../support/tls-files.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'failed', 'caller', 'desk');
const CREDENTIALS = { user: 'branch', password: 'pass-of-the-peer' };
const files = tlsFiles();
/** Not what the service trusts. */
const strangers = tlsFiles();
const pem = ({ certificate, key }: typeof files) => ({
  cert: readFileSync(certificate, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
const NOWHERE = { host: '127.0.0.1', port: 9 };
let bed: PhoneBed;
/** PBXs elsewhere: one that takes every call, one that asks for a password, one over TCP. */
let open: Phone;
let guarded: Phone;
let tcp: Phone;
/** Over TLS; the certificate of the second one is not trusted. */
let secured: Phone;
let stranger: Phone;

beforeAll(async () => {
  open = await Phone.open({ user: 'desk', host: '127.0.0.2', server: NOWHERE });
  guarded = await Phone.open({ user: 'desk', host: '127.0.0.2', server: NOWHERE, challenges: CREDENTIALS });
  tcp = await Phone.open({ user: 'desk', host: '127.0.0.2', server: NOWHERE, transport: 'tcp' });
  const overTls = (certificate: { cert: string; key: string }) =>
    Phone.open({ user: 'desk', host: '127.0.0.1', server: NOWHERE, transport: 'tls', certificate });
  secured = await overTls(pem(files));
  stranger = await overTls(pem(strangers));
  bed = await PhoneBed.open({
    // Loopback is where this service listens: it is allowed, and must not be dialled all the same.
    env: { SIP_ADDRESS_HOSTS: '127.0.0.2,127.0.0.1', NODE_EXTRA_CA_CERTS: files.certificate },
    recordings,
    menus: { failed: { recording: 'recording||failed', timeout: 30 } },
  });
  bed.phones.push(open, guarded, tcp, secured, stranger);
});
afterEach(() => bed.idle());
afterAll(async () => {
  await bed?.close();
  for (const each of [files, strangers]) each.remove();
});

let next = 300;
const address = (more: object) => ({
  name: 'Head office',
  ring_seconds: 4,
  failover_destination: 'ivr||failed',
  ...more,
});

/** A number that leads to a new SIP address, by a switch that sets variables. */
async function numberTo(record: object): Promise<string> {
  const made = await bed.api('POST', '/v1/sip_address', address(record));
  if (made.status !== 201) throw new Error(made.text);
  const set = [
    { variable: 'order', value: '4711' },
    { variable: 'evil', value: 'a\r\nX-Injected: yes\nb' },
  ];
  const by = await bed.api('POST', '/v1/switch', {
    ...{ name: 'Sets', set, rules: [], otherwise_destination: `sip_address||${made.json.id}` },
  });
  const number = String(next++);
  const { status } = await bed.api('POST', '/v1/number', { number, destination: `switch||${by.json.id}` });
  expect(status).toBe(201);
  return number;
}

const uriOf = (phone: Phone, user = 'desk') => `sip:${user}@${phone.host}:${phone.port}`;

describe('a SIP address', () => {
  it.each([
    ['over UDP', () => [open, uriOf(open, 'order-{order}')] as const],
    ['over TCP', () => [tcp, `${uriOf(tcp, 'order-{order}')};transport=tcp`] as const],
  ])('is rung with the variables of the call, and both sides hear each other, %s', async (_, to) => {
    const [peer, uri] = to();
    const headers = { 'X-Order': 'No. {order}', 'X-Evil': '{evil}', 'X-Empty': '{never}' };
    const number = await numberTo({ uri, headers });
    const call = await bed.dial(number);
    const desk = await peer.incoming();
    const { invite } = desk;
    if (!invite) throw new Error('no INVITE');
    expect(desk.dialled).toBe('order-4711');
    expect(desk.caller).toBe(call.dialog.local.replace(/^<sip:([^@]*)@.*/, '$1'));
    expect(header(invite, 'x-order')).toBe('No. 4711');
    // No header of its own begins within a value.
    expect([header(invite, 'x-evil'), header(invite, 'x-injected')]).toEqual(['a X-Injected: yes b', '']);
    expect(invite.headers.some(([name]) => name.toLowerCase() === 'x-empty')).toBe(false);
    expect(Number(header(invite, 'max-forwards'))).toBeLessThan(70);
    expect(header(invite, 'x-dialtree-passes')).toBe('1');
    desk.ring();
    await call.progressed(180);
    await desk.answer();
    await call.answered();
    void desk.sendTone(hz.desk);
    void call.sendTone(hz.caller);
    await Promise.all([call.hears(hz.desk, { forMs: 300 }), desk.hears(hz.caller, { forMs: 300 })]);
    await desk.hangUp();
    await call.ended();
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['ringing', 'ring-progressed', 'connected']));
    expect(step(record, 'connected').text).toContain(`order-4711@${peer.host}`);
    expect(record.legs[1]).toMatchObject({ agent: null, outcome: 'ended' });
  });

  it('shows the caller ID of the record', async () => {
    const number = await numberTo({ uri: uriOf(open), caller_id: '+4930{order}' });
    const call = await bed.dial(number);
    const desk = await open.incoming();
    expect(desk.caller).toBe('+49304711');
    desk.reject(486);
    await call.answered();
    await call.hangUp();
  });

  it('answers a challenge with user name and password, which nothing shows', async () => {
    const number = await numberTo({
      ...{ uri: uriOf(guarded), username: CREDENTIALS.user, password: CREDENTIALS.password },
    });
    const call = await bed.dial(number);
    const desk = await guarded.incoming();
    await desk.answer();
    await call.answered();
    void desk.sendTone(hz.desk);
    await call.hears(hz.desk, { forMs: 200 });
    await call.hangUp();
    const record = await bed.record(call);
    const { json } = await bed.api('GET', '/v1/sip_addresses');
    expect(json.data.some((each: { has_password: boolean }) => each.has_password)).toBe(true);
    const shown = JSON.stringify([record, json, bed.pbx.log]);
    expect(shown).not.toContain(CREDENTIALS.password);
    expect(shown).not.toContain('sealed_password');
  });

  it.each([
    ['gone (404)', 'open', {}, /failed|cannot be reached/, (peer: Phone) => refuse(peer, 404)],
    ['away', 'sip:desk@127.0.0.2:9;transport=tcp', {}, /cannot be reached/, nothing],
    [
      'a stranger to a wrong password (401)',
      'guarded',
      { username: CREDENTIALS.user, password: 'wrong' },
      /does not accept the user name and the password/,
      nothing,
    ],
  ] as const)(
    'that is %s leads on to the failover, and the trail says why',
    async (_, to, more, why, act) => {
      const uri = to === 'open' ? uriOf(open) : to === 'guarded' ? uriOf(guarded) : to;
      const number = await numberTo({ uri, ...more });
      const call = await bed.dial(number);
      await act(open);
      await call.answered({ withinMs: 30_000 });
      await call.hears(hz.failed, { forMs: 100 });
      await call.hangUp();
      const record = await bed.record(call);
      expect(record.steps.map(({ text }: { text: string }) => text).join('\n')).toMatch(why);
      expect(codes(record)).toContain('failover');
    },
  );

  it('at a host that the operator does not allow cannot be written', async () => {
    for (const uri of ['sip:x@127.0.0.3', 'sip:x@pbx.example.com', 'sips:x@127.0.0.4:5061']) {
      const { status, json } = await bed.api('POST', '/v1/sip_address', address({ uri }));
      expect([status, json.Errors[0].Code]).toEqual([400, 'url_refused']);
      expect(json.Message).toContain('SIP_ADDRESS_HOSTS');
    }
  });

  it('of this service itself is not dialled: a call cannot go round', async () => {
    const { port } = bed.pbx.sip;
    const number = await numberTo({ uri: `sip:300@127.0.0.1:${port}` });
    const call = await bed.dial(number);
    await call.answered({ withinMs: 30_000 });
    await call.hears(hz.failed, { forMs: 100 });
    await call.hangUp();
    expect((await bed.metric('dialtree_calls')) <= 1).toBe(true);
    const record = await bed.record(call);
    expect(codes(record).filter((code) => code === 'ringing')).toHaveLength(1);
    expect(codes(record)).not.toContain('connected');
  });
});

async function nothing(): Promise<void> {}

async function refuse(peer: Phone, status: number): Promise<void> {
  (await peer.incoming()).reject(status);
}

/** A call to a new SIP address. */
async function dialTo(uri: string): Promise<PhoneCall> {
  const record = { name: 'Head office', uri, ring_seconds: 10, failover_destination: 'ivr||failed' };
  const made = await bed.api('POST', '/v1/sip_address', record);
  expect(made.status, made.text).toBe(201);
  const number = String(next++);
  const destination = `sip_address||${made.json.id}`;
  expect((await bed.api('POST', '/v1/number', { number, destination })).status).toBe(201);
  return bed.dial(number);
}

const secure = (phone: Phone): string => `sips:desk@127.0.0.1:${phone.port}`;
const offering = (phone: Phone): string => `sip:desk@127.0.0.1:${phone.port};transport=tls`;

/** They hear each other by tone. The record. */
async function talk(call: PhoneCall, desk: PhoneCall, sdp: SdpOptions) {
  await desk.answer(sdp);
  await call.answered();
  void desk.sendTone(hz.desk);
  void call.sendTone(hz.caller);
  await Promise.all([call.hears(hz.desk, { forMs: 300 }), desk.hears(hz.caller, { forMs: 300 })]);
  await call.hangUp();
  await desk.ended();
  return bed.record(call);
}

describe('over TLS', () => {
  it.each([
    ['sips:', 'RTP/SAVP', secure],
    [';transport=tls', 'RTP/AVP', offering],
  ])('%s offers keys by %s, and both sides hear each other encrypted', async (_, protocol, uri) => {
    const call = await dialTo(uri(secured));
    const desk = await secured.incoming();
    expect(desk.remote?.protocol).toBe(protocol);
    expect(desk.descriptions[0]).toMatch(/^a=crypto:\d+ AES_CM_128_HMAC_SHA1_80 inline:/m);
    const { legs } = await talk(call, desk, { srtp: {} });
    expect(legs).toMatchObject([
      { encryption: 'none' },
      { encryption: 'sdes', keys_over_tls: true, outcome: 'ended' },
    ]);
  });

  it(';transport=tls goes on in plain with a far side that has no SRTP, and the record says so', async () => {
    const call = await dialTo(offering(secured));
    const { legs } = await talk(call, await secured.incoming(), {});
    expect(legs[1]).toMatchObject({ encryption: 'none', keys_over_tls: null });
  });

  it.each([
    ['answers without keys', (desk: PhoneCall) => void desk.answer().catch(() => undefined)],
    ['refuses the offer (488)', (desk: PhoneCall) => desk.reject(488)],
  ])('sips: leads on to the failover when the far side %s', async (_, act) => {
    const call = await dialTo(secure(secured));
    const desk = await secured.incoming();
    act(desk);
    await call.answered({ withinMs: 20_000 });
    await call.hears(hz.failed, { forMs: 100 });
    await desk.ended();
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toContain('failover');
    expect(codes(record)).not.toContain('connected');
    expect(record.legs[1].encryption).not.toBe('sdes');
  });

  it('a far side whose certificate is not trusted gets no INVITE', async () => {
    const call = await dialTo(secure(stranger));
    await call.answered({ withinMs: 20_000 });
    await call.hears(hz.failed, { forMs: 100 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toContain('failover');
    expect(stranger.log).toEqual([]);
  });
});

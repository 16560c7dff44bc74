// SIP addresses over TLS, in real calls: keys of SRTP are offered, `sips:` insists on them, and a certificate of another name ends it.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { SdpOptions } from '../support/phone/sdp-text.ts';
import { tlsFiles } from '../support/tls-files.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'failed', 'caller', 'desk');
const files = tlsFiles();
/** Not what the service trusts. */
const strangers = tlsFiles();
const pem = ({ certificate, key }: typeof files) => ({
  cert: readFileSync(certificate, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
const NOWHERE = { host: '127.0.0.1', port: 9 };
let bed: PhoneBed;
let peer: Phone;
let stranger: Phone;

beforeAll(async () => {
  const open = (certificate: { cert: string; key: string }) =>
    Phone.open({ user: 'desk', host: '127.0.0.1', server: NOWHERE, transport: 'tls', certificate });
  peer = await open(pem(files));
  stranger = await open(pem(strangers));
  bed = await PhoneBed.open({
    env: { SIP_ADDRESS_HOSTS: '127.0.0.1', NODE_EXTRA_CA_CERTS: files.certificate },
    recordings,
    menus: { failed: { recording: 'recording||failed', timeout: 30 } },
  });
  bed.phones.push(peer, stranger);
});
afterEach(() => bed.idle());
afterAll(async () => {
  await bed?.close();
  for (const each of [files, strangers]) each.remove();
});

let next = 300;

/** A call to a new SIP address. */
async function dial(uri: string): Promise<PhoneCall> {
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
    const call = await dial(uri(peer));
    const desk = await peer.incoming();
    expect(desk.remote?.protocol).toBe(protocol);
    expect(desk.descriptions[0]).toMatch(/^a=crypto:\d+ AES_CM_128_HMAC_SHA1_80 inline:/m);
    const { legs } = await talk(call, desk, { srtp: {} });
    expect(legs).toMatchObject([
      { encryption: 'none' },
      { encryption: 'sdes', keys_over_tls: true, outcome: 'ended' },
    ]);
  });

  it(';transport=tls goes on in plain with a far side that has no SRTP, and the record says so', async () => {
    const call = await dial(offering(peer));
    const { legs } = await talk(call, await peer.incoming(), {});
    expect(legs[1]).toMatchObject({ encryption: 'none', keys_over_tls: null });
  });

  it.each([
    ['answers without keys', (desk: PhoneCall) => void desk.answer().catch(() => undefined)],
    ['refuses the offer (488)', (desk: PhoneCall) => desk.reject(488)],
  ])('sips: leads on to the failover when the far side %s', async (_, act) => {
    const call = await dial(secure(peer));
    const desk = await peer.incoming();
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
    const call = await dial(secure(stranger));
    await call.answered({ withinMs: 20_000 });
    await call.hears(hz.failed, { forMs: 100 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toContain('failover');
    expect(stranger.log).toEqual([]);
  });
});

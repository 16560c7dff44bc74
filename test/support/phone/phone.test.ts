// The phone against itself: two of them call each other directly, without a server between them.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { Phone } from './phone.ts';
import type { CallOptions, PhoneCall } from './phone-call.ts';
import type { PhoneOptions } from './phone-options.ts';
import { header } from './sip-text.ts';
import { Transactions } from './transactions.ts';
import { Wire } from './wire.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const nowhere = { host: '127.0.0.1', port: 9 };

async function phone(options: Partial<PhoneOptions> = {}): Promise<Phone> {
  const made = await Phone.open({ server: nowhere, ...options });
  open.push(made);
  return made;
}

/** Alice calls Bob. */
async function pair(options: Partial<PhoneOptions> = {}): Promise<{ alice: Phone; bob: Phone }> {
  const host = options.host ?? '127.0.0.1';
  const bob = await phone({ user: 'bob', ...options, server: { host, port: 9 } });
  const alice = await phone({ user: 'alice', ...options, server: { host, port: bob.port } });
  return { alice, bob };
}

async function connected(
  phones: { alice: Phone; bob: Phone },
  options: CallOptions = {},
): Promise<{ ours: PhoneCall; theirs: PhoneCall }> {
  const ours = await phones.alice.call('1001', options);
  const theirs = await phones.bob.incoming();
  await Promise.all([theirs.answer(), ours.answered()]);
  return { ours, theirs };
}

describe('two phones', () => {
  it.each([
    ['UDP', {}],
    ['TCP', { transport: 'tcp' }],
    ['IPv6', { host: '::1' }],
  ] as const)('call, ring, talk both ways and hang up over %s', async (_, options) => {
    const { alice, bob } = await pair(options);
    const ours = await alice.call('1001');
    const theirs = await bob.incoming();
    expect([theirs.dialled, theirs.caller]).toEqual(['1001', 'alice']);
    theirs.ring();
    await ours.progressed(180);
    await Promise.all([theirs.answer(), ours.answered()]);
    await Promise.all([ours.sendTone(540), theirs.sendTone(1_270)]);
    await Promise.all([ours.hears(1_270), theirs.hears(540)]);
    await theirs.hangUp([['Reason', 'Q.850;cause=16;text="Normal"']]);
    expect(await ours.ended()).toMatchObject({ by: 'peer', how: 'bye', cause: 16 });
    expect(theirs.end).toMatchObject({ by: 'us', how: 'bye' });
  });

  it('hear one tone after the other, and report what they heard instead', async () => {
    const { ours, theirs } = await connected(await pair());
    await theirs.sendTone(540, 200);
    await theirs.sendTone(1_400, 200);
    void theirs.sendSilence();
    await ours.hears(540);
    await ours.hears(1_400);
    await ours.hearsSilence(100);
    await expect(ours.hears(2_020, { withinMs: 100 })).rejects.toThrow(
      /2020 Hz for 100 ms was not heard, but .*54\d Hz .*140\d Hz/,
    );
    await theirs.sendTone(540, 200);
    expect((await ours.hears(540)).fromMs).toBeGreaterThan(300);
  });

  it('press keys by telephone-event, by INFO and in the audio', async () => {
    const { ours, theirs } = await connected(await pair());
    await ours.pressKeys('1#1', { durationMs: 60, gapMs: 40 });
    await theirs.receivesKeys('1#1');
    expect(theirs.receivedKeys()[0]).toMatchObject({ key: '1', durationMs: 60, ended: true });
    await ours.pressKeys('5', { how: 'info', gapMs: 0 });
    expect(theirs.infos).toEqual(['Signal=5\r\nDuration=100\r\n']);
    await ours.pressKeys('*', { how: 'in-band', durationMs: 160 });
    expect((await theirs.hears('dual')).pair?.map((hz) => Math.round(hz / 50) * 50)).toEqual([950, 1_200]);
  });

  it.each([
    ['A-law alone', { sdp: { codecs: ['pcma'] } }, { law: 'pcma', payloadType: 8 }],
    ['no telephone-event', { sdp: { events: null } }, { eventPayloadType: null }],
    ['events at 96', { sdp: { events: 96 } }, { eventPayloadType: 96 }],
    ['packets of 40 ms', { sdp: { ptimeMs: 40 } }, { ptimeMs: 40 }],
    ['a delayed offer', { delayedOffer: true }, { law: 'pcmu', eventPayloadType: 101 }],
  ] as const)('agree on %s', async (_, options, expected) => {
    const { ours, theirs } = await connected(await pair(), options);
    expect(theirs.remote).toMatchObject(expected);
    await Promise.all([ours.sendTone(1_060), theirs.sendTone(1_555)]);
    await Promise.all([theirs.hears(1_060), ours.hears(1_555)]);
    // Each sends what the other asked for.
    expect(ours.rtp.packets.at(-1)?.bytes).toBe(12 + 8 * (theirs.remote?.ptimeMs ?? 0));
  });

  it('hold and resume', async () => {
    const { ours, theirs } = await connected(await pair());
    await Promise.all([ours.sendTone(1_060), theirs.sendTone(1_555)]);
    await ours.hears(1_555);
    expect(await ours.hold()).toBe(200);
    ours.forget();
    await ours.hearsSilence(200);
    theirs.forget();
    await theirs.hears(1_060);
    expect(theirs.remote?.direction).toBe('sendonly');
    expect(await ours.resume()).toBe(200);
    ours.forget();
    await ours.hears(1_555);
    expect(await theirs.update({ direction: 'inactive' })).toBe(200);
    expect(ours.remote?.direction).toBe('inactive');
  });

  it('refuse, cancel and give up', async () => {
    const { alice, bob } = await pair();
    const refused = await alice.call('1');
    (await bob.incoming()).reject(486, 'Busy Here', [['Reason', 'Q.850;cause=17']]);
    expect(await refused.ended()).toMatchObject({ by: 'peer', how: 'refused', status: 486, cause: 17 });
    await expect(refused.answered()).rejects.toThrow('486 Busy Here');

    const cancelled = await alice.call('2');
    const ringing = await bob.incoming();
    ringing.ring();
    await cancelled.hangUp();
    expect(await cancelled.ended()).toMatchObject({ by: 'us', how: 'cancel', status: 487 });
    expect(await ringing.ended()).toMatchObject({ by: 'peer', how: 'cancel' });

    const left = await alice.call('3');
    await (await bob.incoming()).hangUp();
    expect((await left.ended()).status).toBe(480);
    await expect(bob.incoming({ withinMs: 50 })).rejects.toThrow(
      /no call came in to bob; the wire saw:\n.*INVITE/,
    );
  });

  it('give early media', async () => {
    const { alice, bob } = await pair();
    const ours = await alice.call('1');
    const theirs = await bob.incoming();
    theirs.ring(183);
    await theirs.sendTone(1_700);
    await ours.hears(1_700);
    expect(ours.status).toBeNull();
  });

  it('misbehave on demand', async () => {
    const phones = await pair();
    phones.alice.faults.dropAck = true;
    const ours = await phones.alice.call('1');
    const theirs = await phones.bob.incoming();
    await expect(theirs.answer({}, { withinMs: 100 })).rejects.toThrow(/the ACK did not come/);
    phones.alice.faults.dropAck = false;
    // The 200 is repeated, and so its ACK is.
    await ours.answered();
    await theirs.answer();
    phones.alice.faults.dropBye = true;
    await ours.hangUp();
    expect(theirs.end).toBeNull();
    phones.bob.faults.ignore = ['OPTIONS'];
    const before = phones.alice.log.length;
    const options = (branch: string): string =>
      `OPTIONS sip:bob@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${phones.alice.port};branch=${branch}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:b@b>\r\nCall-ID: x\r\nCSeq: 1 OPTIONS\r\n\r\n`;
    phones.alice.sendRaw(options('z9hG4bK1'));
    phones.bob.faults.ignore = [];
    phones.alice.sendRaw(options('z9hG4bK2'));
    await expect
      .poll(() => phones.alice.log.slice(before).map(({ first }) => first))
      .toContain('SIP/2.0 200 OK');
  });

  it('call through a wire that loses a fifth', async () => {
    const phones = await pair();
    phones.alice.lossPercent = 20;
    const ours = await phones.alice.call('1');
    const theirs = await phones.bob.incoming({ withinMs: 20_000 });
    await Promise.all([theirs.answer({}, { withinMs: 20_000 }), ours.answered({ withinMs: 20_000 })]);
    expect(ours.confirmed && theirs.confirmed).toBe(true);
  });

  it('lie about where they listen', async () => {
    const { ours, theirs } = await connected(await pair(), { sdp: { address: '127.0.0.9', port: 40_000 } });
    expect(theirs.remote).toMatchObject({ address: '127.0.0.9', port: 40_000 });
    await ours.hearsSilence(150);
    expect(ours.rtp.packets).toEqual([]);
  });
});

describe('a registration', () => {
  it.each(['MD5', 'SHA-256'])('answers a challenge by %s', async (algorithm) => {
    const wire = await Wire.open('udp', '127.0.0.1');
    const seen: string[] = [];
    const registrar = new Transactions(wire, '127.0.0.1', (request, from) => {
      const to = ['To', `${header(request, 'to')};tag=r`] as const;
      const given = header(request, 'authorization');
      seen.push(header(request, 'expires'));
      const challenge = `Digest realm="dialtree", nonce="abc", algorithm=${algorithm}, qop="auth", opaque="o"`;
      if (given === '')
        registrar.respond(request, from, '401 Unauthorized', [to, ['WWW-Authenticate', challenge]]);
      else registrar.respond(request, from, isRight(given, algorithm) ? '200 OK' : '403 Forbidden', [to]);
    });
    open.push(registrar);
    const server = { host: '127.0.0.1', port: wire.port };
    const right = await phone({ server, user: 'alice', password: 'secret' });
    expect(await right.register()).toBe(200);
    expect(await right.unregister()).toBe(200);
    expect(seen).toEqual(['300', '300', '0', '0']);
    expect(await (await phone({ server, user: 'alice', password: 'wrong' })).register()).toBe(403);
    expect(await (await phone({ server, user: 'alice' })).register()).toBe(401);
  });
});

describe('a call that is challenged', () => {
  it('is placed again with the password and the next CSeq, after an ACK of the challenge', async () => {
    const wire = await Wire.open('udp', '127.0.0.1');
    const seen: string[] = [];
    const server = new Transactions(wire, '127.0.0.1', (request, from) => {
      const to = ['To', `${header(request, 'to')};tag=s`] as const;
      seen.push(header(request, 'cseq'));
      if (request.method === 'ACK') return;
      const asked = [to, ['Proxy-Authenticate', 'Digest realm="dialtree", nonce="abc"'] as const];
      if (header(request, 'proxy-authorization') === '') server.respond(request, from, '407 Who?', asked);
      else server.respond(request, from, '486 Busy Here', [to]);
    });
    open.push(server);
    const alice = await phone({
      server: { host: '127.0.0.1', port: wire.port },
      user: 'alice',
      password: 'secret',
    });
    const call = await alice.call('1');
    expect(await call.finished()).toBe(486);
    await expect.poll(() => seen).toEqual(['1 INVITE', '1 ACK', '2 INVITE', '2 ACK']);
  });
});

/** RFC 7616 §3.4.1, from the fields that were sent. */
function isRight(given: string, algorithm: string): boolean {
  const field = (name: string): string => new RegExp(`\\b${name}="?([^",]*)`).exec(given)?.[1] ?? '';
  const hash = (text: string): string =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const middle = `abc:${field('nc')}:${field('cnonce')}:auth`;
  const wanted = hash(`${hash('alice:dialtree:secret')}:${middle}:${hash(`REGISTER:${field('uri')}`)}`);
  return field('response') === wanted && field('opaque') === 'o';
}

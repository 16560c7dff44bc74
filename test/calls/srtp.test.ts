// SRTP with SDES (RFC 4568), whole calls: the phone has an implementation of its own (test/support/phone/phone-srtp.ts). The service offers
// no keys over UDP unless SRTP is required: that it does over TLS is shown with baresip and Asterisk (test/phones).
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stranger } from '../hostile/support/stranger.ts';
import { extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { PhoneSrtp } from '../support/phone/phone-srtp.ts';
import { header } from '../support/phone/sip-text.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'caller', 'agent');
const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const SRTP = { sdp: { srtp: {} } };
let bed: PhoneBed;
let strict: PhoneBed;

const options = {
  recordings,
  menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
  agents: { '1001': {} },
  numbers: { '100': 'ivr||main', '101': extension('1001') },
};

beforeAll(async () => {
  bed = await PhoneBed.open(options);
  strict = await PhoneBed.open({ ...options, settings: { srtp: 'required' } });
}, 60_000);

afterAll(async () => {
  await bed?.close();
  await strict?.close();
});

async function hear(one: PhoneCall, other: PhoneCall): Promise<void> {
  one.forget();
  other.forget();
  await one.sendTone(hz.caller);
  await other.sendTone(hz.agent);
  await Promise.all([one.hears(hz.agent, { forMs: 200 }), other.hears(hz.caller, { forMs: 200 })]);
}

describe('offered', () => {
  it.each([
    ['RTP/SAVP', SUITE],
    ['RTP/AVP', SUITE],
    ['RTP/SAVP', 'AES_CM_128_HMAC_SHA1_32'],
  ] as const)(
    'answers %s with %s: the prompt and keys go encrypted, and the record says so',
    async (protocol, suite) => {
      const call = await bed.reach('100', { sdp: { srtp: { protocol, suite } } });
      expect(call.remote).toMatchObject({ protocol, crypto: { suite } });
      await call.hears(hz.prompt, { forMs: 300 });
      expect(call.rtp.srtp?.refused).toBe(0);
      const [first] = call.rtp.packets;
      expect(first?.bytes).toBe(172);
      await call.hangUp();
      const record = await bed.record(callerOf(call));
      expect(record['legs'][0]).toMatchObject({
        encryption: 'sdes',
        crypto_suite: suite,
        keys_over_tls: false,
      });
      const kept = JSON.stringify(record);
      for (const description of call.descriptions)
        for (const [, key = ''] of description.matchAll(/inline:([^|\s]+)/g)) expect(kept).not.toContain(key);
    },
  );

  it('connects an encrypted side with a plain one, in both directions, with keys', async () => {
    const phone = await bed.agent('1001');
    const caller = await bed.dial('101', SRTP);
    const agent = await (await phone.incoming()).answer();
    await caller.answered();
    expect(agent.invite?.body).not.toContain('a=crypto');
    await hear(caller, agent);
    await caller.pressKeys('5');
    await agent.receivesKeys('5');
    await agent.pressKeys('7');
    await caller.receivesKeys('7');
    await caller.hangUp();
    await agent.ended();
    const { legs } = await bed.record(callerOf(caller));
    expect(legs.map((leg: { encryption: string }) => leg.encryption)).toEqual(['sdes', 'none']);
    await phone.unregister();
  });

  it('goes on after re-INVITEs with the same keys, with new ones, and without any', async () => {
    const phone = await bed.agent('1001');
    const caller = await bed.dial('101', SRTP);
    const agent = await (await phone.incoming()).answer();
    await caller.answered();
    await hear(caller, agent);
    const before = caller.remote?.crypto;
    expect(await caller.hold()).toBe(200);
    expect(await caller.resume()).toBe(200);
    expect(caller.remote?.crypto).toEqual(before);
    await hear(caller, agent);
    expect(await caller.reinvite({ srtp: { key: randomBytes(30).toString('base64') } })).toBe(200);
    await hear(caller, agent);
    expect(caller.rtp.srtp?.refused).toBe(0);
    const where = `127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${caller.rtp.port} RTP/AVP 0 101`;
    const plain = `v=0\r\no=- 1 9 IN IP4 ${where}\r\na=rtpmap:101 telephone-event/8000\r\n`;
    expect(await caller.reinvite(plain)).toBe(200);
    await hear(caller, agent);
    await caller.hangUp();
    await agent.ended();
    await phone.unregister();
  });

  it('is none in the record of a call that began plain, whatever it ended with', async () => {
    const call = await bed.reach('100');
    await call.hears(hz.prompt, { forMs: 200 });
    expect(await call.reinvite({ srtp: {} })).toBe(200);
    call.forget();
    await call.hears(hz.prompt, { forMs: 200 });
    expect(call.rtp.srtp).not.toBe(null);
    await call.hangUp();
    expect((await bed.record(callerOf(call)))['legs']).toMatchObject([
      { encryption: 'none', crypto_suite: null, keys_over_tls: null },
    ]);
  });

  it('sends its reports encrypted', async () => {
    const call = await bed.reach('100', SRTP);
    await call.hears(hz.prompt, { forMs: 200 });
    await expect.poll(() => call.rtp.rtcpPackets.length).toBeGreaterThan(0);
    const [report] = call.rtp.rtcpPackets;
    expect(call.rtp.srtp?.openReport(report as Buffer)?.[1]).toBe(200);
    await call.hangUp();
  });

  it('refuses SAVP whose suites it does not have, and says why', async () => {
    const raw = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 61000 RTP/SAVP 0\r\na=crypto:1 F8_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}\r\n`;
    const call = await bed.dial('100', { sdp: { raw } });
    expect(await call.finished()).toBe(488);
    expect(call.finalResponse && header(call.finalResponse, 'warning')).toContain('crypto suite');
  });

  it('is not led away by packets that were recorded, forged, or encrypted with other keys (T7)', async () => {
    const phone = await bed.agent('1001');
    const caller = await bed.dial('101', SRTP);
    const agent = await (await phone.incoming()).answer();
    await caller.answered();
    await hear(caller, agent);
    const { srtp } = caller.rtp;
    const to = caller.remote;
    if (!srtp || !to) throw new Error('the call is not encrypted');
    // Who listens on the path has each packet, and no key.
    const recorded: Buffer[] = [];
    const protect = srtp.protect.bind(srtp);
    srtp.protect = (packet) => {
      const bytes = protect(packet);
      recorded.push(bytes);
      return bytes;
    };
    await caller.pressKeys('5');
    await agent.receivesKeys('5');
    expect(recorded.length).toBeGreaterThan(0);
    const last = recorded.at(-1) ?? Buffer.alloc(0);
    const other = { tag: '1', suite: SUITE, key: randomBytes(30).toString('base64') };
    const foreign = new PhoneSrtp(other, other);
    const next = (ahead: number): Buffer => {
      const packet = Buffer.concat([last.subarray(0, 12), Buffer.alloc(160, ahead)]);
      packet[1] = 0;
      packet.writeUInt16BE((last.readUInt16BE(2) + ahead) & 0xffff, 2);
      return packet;
    };
    // From the phone's own machine, where a NAT might have moved it, and from another one.
    const strangers = await Promise.all(['127.0.0.1', '127.0.0.2'].map((host) => Stranger.open(host)));
    const target = { host: to.address, port: to.port };
    for (const stranger of strangers) {
      for (const packet of [...recorded, ...recorded]) await stranger.send(packet, target);
      for (let ahead = 1; ahead <= 100; ahead++) {
        await stranger.send(next(ahead), target);
        await stranger.send(foreign.protect(next(ahead)), target);
        await stranger.send(Buffer.concat([next(ahead), randomBytes(10)]), target);
      }
    }
    await hear(caller, agent);
    await caller.pressKeys('7');
    await agent.receivesKeys('57');
    expect(agent.rtp.keys.map(({ key }) => key).join('')).toBe('57');
    expect(strangers.map(({ received }) => received.length)).toEqual([0, 0]);
    expect(caller.rtp.srtp?.refused).toBe(0);
    for (const stranger of strangers) stranger.close();
    await caller.hangUp();
    await agent.ended();
    await phone.unregister();
  });

  it('ends no call by 10,000 broken packets, of the peer’s own address and of strangers', async () => {
    const call = await bed.reach('100', SRTP);
    await call.hears(hz.prompt, { forMs: 200 });
    const socket = createSocket('udp4');
    const to = call.remote;
    if (!to) throw new Error('no media was described');
    for (let sent = 0; sent < 10_000; sent += 1) {
      const packet = randomBytes(1 + (sent % 400));
      packet[0] = 0x80 | (sent % 64);
      if (packet.length > 1) packet[1] = sent % 3 === 0 ? 200 + (sent % 8) : sent % 2 === 0 ? 0 : 101;
      if (sent % 2 === 0) call.rtp.sendRaw(packet, to.port + (sent % 4 === 0 ? 1 : 0), to.address);
      else socket.send(packet, to.port + (sent % 4 === 1 ? 1 : 0), to.address);
      if (sent % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.close();
    call.forget();
    await call.hears(hz.prompt, { forMs: 500 });
    expect(call.end).toBe(null);
    await call.hangUp();
  });
});

describe('required', () => {
  it('refuses a phone’s call without it: 488 with the reason, and a record', async () => {
    const phone = await strict.agent('1001');
    const call = await phone.call('100');
    expect(await call.finished()).toBe(488);
    expect(call.finalResponse && header(call.finalResponse, 'warning')).toContain('SRTP is required');
    expect(await strict.record('1001')).toMatchObject({
      end_code: 'call-refused',
      steps: [{ text: expect.stringContaining('SRTP is required here') }],
    });
    await phone.unregister();
  });

  it('offers RTP/SAVP to a phone, takes its answer, and gives up one without keys with a record', async () => {
    const phone = await strict.agent('1001', { sdp: { srtp: {} } });
    const caller = await strict.dial('101');
    const agent = await phone.incoming();
    expect(agent.remote).toMatchObject({ protocol: 'RTP/SAVP', crypto: { suite: SUITE } });
    await agent.answer();
    await caller.answered();
    await hear(caller, agent);
    await caller.hangUp();
    await agent.ended();
    await phone.unregister();
    const plain = await strict.agent('1001');
    const second = await strict.dial('101');
    const taken = await plain.incoming();
    void taken.answer().catch(() => undefined);
    await taken.ended();
    expect(await second.finished()).toBeGreaterThanOrEqual(400);
    const { legs } = await strict.record(callerOf(second));
    expect(legs[1]).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('SRTP is required') });
    await plain.unregister();
  });
});

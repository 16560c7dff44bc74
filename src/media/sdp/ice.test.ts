// Offers of browsers, and ours to them. The offer is Chromium's, shortened.
import { describe, expect, it } from 'vitest';
import type { WebrtcIdentity } from '../webrtc/webrtc.ts';
import { Negotiation } from './negotiation.ts';
import { parseSdp } from './parse.ts';

const FINGERPRINT = `sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`;
/** As of RFC 4568 §9.1. */
const CRYPTO = 'crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const identity: WebrtcIdentity = {
  port: 30_000,
  addresses: ['198.51.100.7'],
  fingerprints: [`sha-256 ${'01:'.repeat(31)}01`, `sha-256 ${'02:'.repeat(31)}02`],
};
const options = { address: '192.0.2.1', port: 20_000, webrtc: identity };

function browserOffer(
  change: Partial<Record<'ufrag' | 'pwd' | 'fingerprint' | 'setup' | 'more', string>> = {},
): Buffer {
  const {
    ufrag = 'EsAw',
    pwd = 'bP+XJMM09aR8AiX1jdukzR6Y',
    fingerprint = FINGERPRINT,
    setup = 'actpass',
  } = change;
  const lines = [
    'v=0',
    'o=- 4962303333179871722 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE audio0',
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS stream',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126',
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    'a=candidate:1 1 udp 2113937151 7f3f0c1e-1d1c.local 51234 typ host',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    'a=ice-options:trickle',
    `a=fingerprint:${fingerprint}`,
    `a=setup:${setup}`,
    'a=mid:audio0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:9 G722/8000',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:110 telephone-event/48000',
    'a=rtpmap:126 telephone-event/8000',
    ...(change.more === undefined ? [] : [change.more]),
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

function answered(negotiation: Negotiation, offer = browserOffer()) {
  const answer = negotiation.answer(offer);
  if ('refuse' in answer) throw new Error(answer.why);
  return { text: answer.sdp.toString('latin1'), settings: answer.settings };
}

describe('the offer of a browser', () => {
  it('is answered with ICE lite, DTLS as server and the browser’s own mid', () => {
    const { text, settings } = answered(new Negotiation(options));
    expect(text).toContain('a=ice-lite\r\na=group:BUNDLE audio0\r\n');
    expect(text).toContain('m=audio 30000 UDP/TLS/RTP/SAVPF 0 126\r\n');
    expect(text).toContain('a=rtpmap:126 telephone-event/8000\r\n');
    expect(text).toContain('a=mid:audio0\r\na=rtcp-mux\r\n');
    expect(text).toContain(`a=fingerprint:${identity.fingerprints[0]}\r\na=setup:passive\r\n`);
    expect(text).toMatch(/a=candidate:1 1 UDP 2130706431 192\.0\.2\.1 30000 typ host\r\n/);
    expect(text).toContain('198.51.100.7 30000 typ host');
    // Port 9 and 0.0.0.0 of a browser are not a hold.
    expect(settings).toMatchObject({ codec: 'pcmu', eventPayloadType: 126, direction: 'sendrecv' });
    expect(settings.ice?.peer).toEqual({
      ufrag: 'EsAw',
      pwd: 'bP+XJMM09aR8AiX1jdukzR6Y',
      fingerprint: FINGERPRINT,
      setup: 'actpass',
    });
  });

  it('keeps our credentials when it is repeated, and restarts ICE and DTLS when its own are others', () => {
    const negotiation = new Negotiation(options);
    const first = answered(negotiation).settings.ice?.own;
    expect(answered(negotiation).settings.ice?.own).toEqual(first);
    const restarted = answered(negotiation, browserOffer({ ufrag: 'Other' }));
    expect(restarted.settings.ice?.own.ufrag).not.toBe(first?.ufrag);
    expect(restarted.text).toContain(`a=fingerprint:${identity.fingerprints[1]}`);
    const again = answered(negotiation, browserOffer({ ufrag: 'Third' }));
    expect(again.settings.ice?.own.certificate).toBe(0);
  });

  it('is refused where there are no browser legs, and a refused one changes nothing', () => {
    const plain = new Negotiation({ address: '192.0.2.1', port: 20_000 });
    expect(plain.answer(browserOffer())).toMatchObject({ refuse: 488, code: 302 });
    const negotiation = new Negotiation(options);
    const { own } = answered(negotiation).settings.ice ?? {};
    const bad = browserOffer({ ufrag: 'Other' })
      .toString()
      .replace(/m=audio 9/, 'm=audio 0');
    expect(negotiation.answer(Buffer.from(bad))).toMatchObject({ refuse: 488 });
    expect(answered(negotiation).settings.ice?.own).toEqual(own);
  });

  it.each([
    ['a user name that is too short', { ufrag: 'abc' }],
    ['a user name with a character that ends a line', { ufrag: 'abcd\u000bx' }],
    ['a password that is too short', { pwd: 'short' }],
    ['a password with a blank', { pwd: 'bP+XJMM09aR8 AiX1jdukzR6Y' }],
    ['SHA-1', { fingerprint: `sha-1 ${'AB:'.repeat(19)}AB` }],
    ['a fingerprint of the wrong length', { fingerprint: `sha-256 ${'AB:'.repeat(30)}AB` }],
    ['a fingerprint that is none', { fingerprint: `sha-256 ${'ZZ:'.repeat(31)}ZZ` }],
    ['a role that does not exist', { setup: 'holdconn' }],
  ])('is refused with %s', (_what, change) => {
    expect(new Negotiation(options).answer(browserOffer(change))).toMatchObject({ refuse: 488, code: 302 });
  });

  it.each(['off', 'offered', 'required'] as const)(
    'is taken where SRTP is %s, without keys of SDP, as DTLS makes them',
    (mode) => {
      const negotiation = new Negotiation({ ...options, srtp: { mode, offers: true } });
      const { text, settings } = answered(negotiation, browserOffer({ more: `a=${CRYPTO}` }));
      expect(text).not.toContain('a=crypto');
      expect(settings.srtp).toBeUndefined();
      expect(settings.ice?.peer.ufrag).toBe('EsAw');
    },
  );

  it('is preferred to the same stream without encryption', () => {
    const plain = 'm=audio 40000 RTP/AVP 0\r\nc=IN IP4 192.0.2.9\r\n';
    const both = browserOffer().toString().replace('m=audio 9', `${plain}m=audio 9`);
    const { text } = answered(new Negotiation(options), Buffer.from(both));
    expect(text).toContain('m=audio 0 RTP/AVP 0\r\n');
    expect(text).toContain('m=audio 30000 UDP/TLS/RTP/SAVPF');
  });

  it('with video has the video refused, at its place and with its mid', () => {
    const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:video1\r\na=rtpmap:96 VP8/90000';
    const { text } = answered(new Negotiation(options), browserOffer({ more: video }));
    expect(text).toContain('m=video 0 UDP/TLS/RTP/SAVPF 96\r\na=mid:video1\r\n');
    expect(text).toContain('a=group:BUNDLE audio0\r\n');
  });
});

describe('a codec that is passed through', () => {
  it('is offered later, in the same connection, by the number that the browser gave it', () => {
    const offer = browserOffer().toString().replace(' 111 ', ' 109 ').replace('rtpmap:111', 'rtpmap:109');
    const negotiation = new Negotiation(options);
    const { text, settings } = answered(negotiation, Buffer.from(offer));
    expect(text).not.toContain('opus');
    expect(settings.ice?.formats).toEqual([
      [109, 'opus/48000/2'],
      [9, 'G722/8000'],
      [0, 'PCMU/8000'],
      [8, 'PCMA/8000'],
      [126, 'telephone-event/8000'],
    ]);
    const later = negotiation.offer('sendrecv', ['opus', 'pcmu']).toString('latin1');
    expect(later).toContain('m=audio 30000 UDP/TLS/RTP/SAVPF 109 0 126\r\n');
    expect(later).toContain('a=rtpmap:109 opus/48000/2\r\na=fmtp:109 useinbandfec=1\r\n');
    expect(later).toContain(`a=ice-ufrag:${settings.ice?.own.ufrag}\r\n`);
  });

  it('has a number of ours where the browser was called, and never that of its events', () => {
    for (const [events, opus] of [
      [101, 111],
      [111, 112],
    ]) {
      const ours = new Negotiation({ ...options, carriage: 'browser' });
      ours.offer();
      const narrow = browserOffer({ setup: 'active' })
        .toString()
        .replace('a=rtpmap:111 opus/48000/2\r\n', '')
        .replace(' 111 63 9 0 8 13 110 126', ` 0 ${events}`)
        .replace('rtpmap:126', `rtpmap:${events}`);
      expect(ours.accept(Buffer.from(narrow))).toMatchObject({ codec: 'pcmu' });
      expect(ours.settings?.ice?.formats).toEqual([
        [0, 'PCMU/8000'],
        [events, 'telephone-event/8000'],
        [9, 'G722/8000'],
        [opus, 'opus/48000/2'],
      ]);
      const later = ours.offer('sendrecv', ['opus']).toString('latin1');
      expect(later).toContain(`SAVPF ${opus} ${events}\r\n`);
    }
  });

  it('is never answered to an offer of the browser: a call begins with a codec that prompts are in', () => {
    const opusAlone = browserOffer()
      .toString()
      .replace(/ 111 63 9 0 8 13 110 126/, ' 111 126');
    expect(new Negotiation(options).answer(Buffer.from(opusAlone))).toMatchObject({ refuse: 488, code: 305 });
  });
});

describe('our offer to a browser', () => {
  it('leaves the role to the browser, and takes its answer', () => {
    const ours = new Negotiation({ ...options, carriage: 'browser' });
    const offer = ours.offer().toString('latin1');
    expect(offer).toContain('m=audio 30000 UDP/TLS/RTP/SAVPF 0 8 101\r\n');
    expect(offer).toContain('a=setup:actpass\r\n');
    expect(offer).toContain('a=mid:0\r\n');
    const settings = ours.accept(browserOffer({ setup: 'active' }));
    expect(settings).toMatchObject({ codec: 'pcmu', ice: { peer: { setup: 'active', ufrag: 'EsAw' } } });
    const [ufrag] = /a=ice-ufrag:\S+/.exec(offer) ?? [];
    // A later offer, such as for a hold, keeps the connection.
    expect(ours.offer('sendonly').toString('latin1')).toContain(ufrag);
  });

  it('has no keys of SDP where SRTP is required, and takes its answer', () => {
    const srtp = { mode: 'required', offers: true } as const;
    const ours = new Negotiation({ ...options, carriage: 'browser', srtp });
    const offer = ours.offer().toString('latin1');
    expect(offer).toContain('UDP/TLS/RTP/SAVPF');
    expect(offer).not.toContain('a=crypto');
    const settings = ours.accept(browserOffer({ setup: 'active', more: `a=${CRYPTO}` }));
    expect(settings).toMatchObject({ ice: { peer: { ufrag: 'EsAw' } } });
    expect(settings).not.toHaveProperty('srtp');
  });

  it('takes no answer that is not encrypted', () => {
    const ours = new Negotiation({ ...options, carriage: 'browser' });
    ours.offer();
    const plain = browserOffer().toString().replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP');
    expect(ours.accept(Buffer.from(plain))).toMatchObject({ fault: expect.stringContaining('RTP/AVP') });
  });

  it('of a node that took the call over has credentials of its own', () => {
    const before = new Negotiation(options);
    const { own } = answered(before).settings.ice ?? {};
    const after = new Negotiation(options, JSON.parse(JSON.stringify(before.stored())));
    const offer = after.offer().toString('latin1');
    expect(offer).toContain('UDP/TLS/RTP/SAVPF');
    expect(offer).toContain('a=ice-ufrag:');
    expect(offer).not.toContain(own?.ufrag);
  });

  it('to a plain phone has nothing of ICE', () => {
    const offer = new Negotiation(options).offer().toString('latin1');
    expect(offer).toContain('RTP/AVP');
    expect(offer).not.toContain('ice');
  });
});

it('keeps of a description what it needs, not the whole of it', () => {
  const sdp = parseSdp(browserOffer());
  expect('fault' in sdp ? 0 : JSON.stringify(sdp).length).toBeLessThan(1_000);
});

describe('with a web page', () => {
  const PLAIN = 'm=audio 4000 RTP/AVP 0\r\n';
  const plainOffer = (media = PLAIN): Buffer =>
    Buffer.from(`v=0\r\no=- 1 1 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\n${media}`);
  const page = (): Negotiation => new Negotiation({ ...options, carriage: 'browser' });

  it.each(['RTP/AVP', 'RTP/AVPF', 'RTP/SAVP', 'RTP/SAVPF'])('an offer of %s is refused', (protocol) => {
    const offer = plainOffer(`m=audio 4000 ${protocol} 0\r\na=${CRYPTO}\r\n`);
    const negotiation = new Negotiation({
      ...options,
      carriage: 'browser',
      srtp: { mode: 'offered', offers: false },
    });
    expect(negotiation.answer(offer)).toMatchObject({ refuse: 488, code: 302 });
  });

  it('a later offer without ICE is refused, and what was agreed on stays', () => {
    const negotiation = page();
    answered(negotiation);
    const before = negotiation.settings;
    expect(negotiation.answer(plainOffer())).toMatchObject({ refuse: 488 });
    expect(negotiation.settings).toBe(before);
  });

  it('our own offer, for an INVITE without one, has ICE, and an answer without it is none', () => {
    const negotiation = page();
    expect(negotiation.offer().toString()).toContain('UDP/TLS/RTP/SAVPF');
    expect(negotiation.accept(plainOffer())).toHaveProperty('fault');
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { asSecure, readCrypto } from './crypto.ts';
import { Negotiation, type SrtpPreference } from './negotiation.ts';

const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const key = (bytes = 30): string => randomBytes(bytes).toString('base64');
const OFFERED: SrtpPreference = { mode: 'offered', offers: true };
const ANSWERS: SrtpPreference = { mode: 'offered', offers: false };
const REQUIRED: SrtpPreference = { mode: 'required', offers: true };
const OFF: SrtpPreference = { mode: 'off', offers: false };

const side = (srtp: SrtpPreference, port = 40_000): Negotiation =>
  new Negotiation({ address: '192.0.2.1', port, srtp });

const described = (...media: readonly string[]): Buffer =>
  Buffer.from(
    `v=0\r\no=- 1 1 IN IP4 198.51.100.7\r\ns=-\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n${media.join('')}`,
  );
const audio = (protocol: string, ...crypto: readonly string[]): string =>
  `m=audio 6000 ${protocol} 0\r\n${crypto.map((each) => `a=crypto:${each}\r\n`).join('')}`;

/** Offer and answer between two of ours. */
function agreed(one: Negotiation, other: Negotiation) {
  const answer = other.answer(one.offer());
  if ('refuse' in answer) return answer;
  const settings = one.accept(answer.sdp);
  if ('fault' in settings) return settings;
  return { ours: settings.srtp, theirs: answer.settings.srtp };
}

describe('a=crypto', () => {
  it.each([
    `1 ${SUITE} inline:${key()}`,
    `1 ${SUITE} inline:${key()}|2^31`,
    `007 ${SUITE} inline:${key()}|1048576 -OPTIONAL WSH=64`,
    `1 AES_CM_128_HMAC_SHA1_32 inline:${key()}`,
    `1 AES_256_CM_HMAC_SHA1_80 inline:${key(46)}`,
  ])('takes %s', (line) => expect(readCrypto(line)).not.toBe(null));

  it.each([
    '',
    '1',
    `1 ${SUITE}`,
    `one ${SUITE} inline:${key()}`,
    `1234567890 ${SUITE} inline:${key()}`,
    `1 F8_128_HMAC_SHA1_80 inline:${key()}`,
    `1 __proto__ inline:${key()}`,
    `1 ${SUITE} inline:${key(29)}`,
    `1 ${SUITE} inline:${key(46)}`,
    `1 ${SUITE} inline:!!!!${key().slice(4)}`,
    `1 ${SUITE} uri:${key()}`,
    `1 ${SUITE} inline:${key()}|2^31|1:4`,
    `1 ${SUITE} inline:${key()}|1:4`,
    `1 ${SUITE} inline:${key()};inline:${key()}`,
    `1 ${SUITE} inline:${key()} UNENCRYPTED_SRTP`,
    `1 ${SUITE} inline:${key()} KDR=3`,
    `1 ${SUITE} inline:${'A'.repeat(5_000)}`,
  ])('leaves out %s', (line) => expect(readCrypto(line)).toBe(null));
});

describe('an offer that was refused as RTP/AVP', () => {
  it('is understood as RTP/SAVP, by either side', () => {
    const [one, other] = [side(OFFERED), side(REQUIRED)];
    const secure = asSecure(one.offer());
    const answer = secure && other.answer(secure);
    if (!answer || 'refuse' in answer) throw new Error('refused');
    expect(answer.sdp.toString()).toContain('RTP/SAVP 0');
    expect(one.accept(answer.sdp)).toMatchObject({ srtp: { suite: SUITE } });
    expect(one.offer('sendonly').toString()).toContain('RTP/SAVP 0');
  });

  it('is none without keys', () => {
    expect([asSecure(side(ANSWERS).offer()), asSecure(side(REQUIRED).offer())]).toEqual([null, null]);
  });
});

describe('offer and answer with keys (RFC 4568 §5)', () => {
  it.each([OFFERED, REQUIRED])('gives each side the other’s key: $mode', (wish) => {
    const { ours, theirs } = agreed(side(wish), side(ANSWERS, 41_000)) as never as {
      ours: { suite: string; local: Buffer; remote: Buffer };
      theirs: typeof ours;
    };
    expect(ours.suite).toBe(SUITE);
    expect(Buffer.compare(ours.local, theirs.remote)).toBe(0);
    expect(Buffer.compare(theirs.local, ours.remote)).toBe(0);
    expect(Buffer.compare(ours.local, ours.remote)).not.toBe(0);
  });

  it('offers AVP where SRTP may be left out, and SAVP where not', () => {
    expect(side(OFFERED).offer().toString()).toContain('RTP/AVP 0');
    expect(side(REQUIRED).offer().toString()).toContain('RTP/SAVP 0');
    expect(side(ANSWERS).offer().toString()).not.toContain('crypto');
  });

  it.each([
    ['plain to a peer without it', OFFERED, OFF, {}],
    ['refused where it is off and required', REQUIRED, OFF, { refuse: 488, code: 302 }],
    ['refused where it is required and not offered', OFF, REQUIRED, { refuse: 488, code: 302 }],
  ])('is %s', (_, one, other, expected) => {
    expect(agreed(side(one), side(other))).toMatchObject(expected);
  });

  it('says why it refuses', () => {
    expect(side(REQUIRED).answer(described(audio('RTP/AVP')))).toMatchObject({
      why: 'No stream can be taken: SRTP is required here, and it has no a=crypto.',
    });
    expect(side(OFFERED).answer(described(audio('RTP/SAVP')))).toMatchObject({ refuse: 488 });
    expect(side(OFFERED).answer(described(audio('UDP/TLS/RTP/SAVPF')))).toMatchObject({ refuse: 488 });
  });

  it('prefers the encrypted one of two m-lines, and the peer’s order of suites', () => {
    const answer = side(ANSWERS).answer(
      described(
        audio('RTP/AVP'),
        audio('RTP/SAVP', `4 AES_CM_128_HMAC_SHA1_32 inline:${key()}`, `5 ${SUITE} inline:${key()}`),
      ),
    );
    if ('refuse' in answer) throw new Error(answer.why);
    expect(answer.line).toBe(1);
    expect(answer.settings.srtp?.suite).toBe('AES_CM_128_HMAC_SHA1_32');
    expect(answer.sdp.toString()).toMatch(/m=audio 0 RTP\/AVP 0\r\nm=audio 40000 RTP\/SAVP 0\r\na=crypto:4 /);
  });

  it.each([
    ['no key in SAVP', 'RTP/SAVP', []],
    ['a tag that was not offered', 'RTP/SAVP', [`9 ${SUITE} inline:${key()}`]],
    ['another suite than its tag’s', 'RTP/SAVP', [`1 AES_CM_128_HMAC_SHA1_32 inline:${key()}`]],
    ['plain RTP', 'RTP/AVP', []],
  ])('takes no answer with %s where it is required', (_, protocol, crypto) => {
    const negotiation = side(REQUIRED);
    negotiation.offer();
    expect(negotiation.accept(described(audio(protocol, ...crypto)))).toHaveProperty('fault');
    expect(negotiation.settings).toBe(null);
  });

  it('keeps its own key through re-INVITEs, and takes a new one of the peer', () => {
    const negotiation = side(ANSWERS);
    const [first, second] = [key(), key()].map((each) => {
      const answer = negotiation.answer(described(audio('RTP/SAVP', `1 ${SUITE} inline:${each}`)));
      if ('refuse' in answer || !answer.settings.srtp) throw new Error('refused');
      return answer.settings.srtp;
    });
    expect(second?.local).toEqual(first?.local);
    expect(second?.remote).not.toEqual(first?.remote);
    expect(negotiation.offer().toString()).toContain('RTP/SAVP 0');
  });

  it('stores no keys, and offers new ones on another node', () => {
    const negotiation = side(ANSWERS);
    const theirs = key();
    negotiation.answer(described(audio('RTP/AVP', `1 ${SUITE} inline:${theirs}`)));
    const own = Buffer.from(negotiation.settings?.srtp?.local ?? []).toString('base64');
    const stored = negotiation.stored();
    const text = JSON.stringify(stored);
    for (const secret of [theirs, own]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"(local|remote|key)":/);
    if (!stored) throw new Error('nothing was agreed on');
    const offer = new Negotiation({ address: '192.0.2.2', port: 42_000 }, stored).offer().toString();
    expect(offer).toMatch(/a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/);
    expect(offer).not.toContain(own);
  });
});

describe('a key of ours', () => {
  const suite32 = 'AES_CM_128_HMAC_SHA1_32';
  const peer = key();
  const lines = {
    first: audio('RTP/AVP', `1 ${SUITE} inline:${peer}`),
    otherPeerKey: audio('RTP/AVP', `1 ${SUITE} inline:${key()}`),
    otherSuite: audio('RTP/AVP', `1 ${suite32} inline:${key()}`),
    plain: audio('RTP/AVP'),
  };
  /** Ours, after the peer has offered these in turn. */
  function ownAfter(negotiation: Negotiation, ...offers: readonly (keyof typeof lines)[]): string {
    for (const each of offers) negotiation.answer(described(lines[each]));
    return Buffer.from(negotiation.settings?.srtp?.local ?? []).toString('base64');
  }

  it.each(['otherSuite', 'plain'] as const)('is a new one after %s', (between) => {
    const ours = side(ANSWERS);
    const before = ownAfter(ours, 'first');
    expect(before).toHaveLength(40);
    const after = ownAfter(ours, between, 'first');
    expect(after).toHaveLength(40);
    expect(after).not.toBe(before);
    expect(ours.offer().toString()).toContain(after);
  });

  it('stays while it is in use, whatever key the peer takes', () => {
    const ours = side(ANSWERS);
    const before = ownAfter(ours, 'first');
    expect(ownAfter(ours, 'otherPeerKey', 'first')).toBe(before);
  });

  it('is that of our offer for each answer to it, also after another answer', () => {
    const ours = side(OFFERED);
    const offered = ours.offer().toString();
    const answers = [
      `1 ${SUITE} inline:${peer}`,
      `3 ${suite32} inline:${key()}`,
      `1 ${SUITE} inline:${peer}`,
    ];
    for (const each of answers) {
      const agreedOn = ours.accept(described(audio('RTP/AVP', each)));
      if ('fault' in agreedOn) throw new Error(agreedOn.fault);
      expect(offered).toContain(Buffer.from(agreedOn.srtp?.local ?? []).toString('base64'));
    }
  });
});

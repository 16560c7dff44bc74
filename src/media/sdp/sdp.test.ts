import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamSettings } from '../media.ts';
import { type Answer, answerOffer } from './answer.ts';
import { makeOffer, readAnswer } from './offer.ts';
import { parseSdp } from './parse.ts';
import type { OurSide } from './sdp.ts';

const ours: OurSide = { address: '192.0.2.1', port: 40_000, sessionId: '77', version: 1 };
const ours6: OurSide = { ...ours, address: '2001:db8::1' };

const HEAD = 'v=0\r\no=alice 1 1 IN IP4 198.51.100.7\r\ns=call\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n';
const AUDIO = 'm=audio 49170 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const respond = (offer: string, side = ours) => answerOffer(parseSdp(bytes(offer)), side);

function taken(offer: string, side = ours): Answer & { readonly text: string } {
  const answer = respond(offer, side);
  if ('refuse' in answer) throw new Error(answer.why);
  return { ...answer, text: answer.sdp.toString('latin1') };
}

/** The m-lines of an answer. */
const mLines = (text: string): string[] => text.split('\r\n').filter((line) => line.startsWith('m='));

describe('an answer (RFC 3264 §6)', () => {
  it('takes the first codec of the offer and telephone-event', () => {
    const { text, settings } = taken(HEAD + AUDIO);
    expect(text).toBe(
      [
        'v=0',
        'o=- 77 1 IN IP4 192.0.2.1',
        's=-',
        'c=IN IP4 192.0.2.1',
        't=0 0',
        'm=audio 40000 RTP/AVP 0 101',
        'a=rtpmap:0 PCMU/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=fmtp:101 0-16',
        'a=ptime:20',
        'a=sendrecv',
        '',
      ].join('\r\n'),
    );
    expect(settings).toEqual<StreamSettings>({
      remoteAddress: '198.51.100.7',
      remotePort: 49_170,
      remoteRtcpPort: 49_171,
      codec: 'pcmu',
      payloadType: 0,
      eventPayloadType: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
    });
  });

  it.each([
    ['A-law first', 'm=audio 4 RTP/AVP 8 0\r\n', { codec: 'pcma', payloadType: 8 }],
    ['A-law alone', 'm=audio 4 RTP/AVP 8\r\n', { codec: 'pcma', payloadType: 8, eventPayloadType: null }],
    ['unknown codecs before it', 'm=audio 4 RTP/AVP 18 9 111 0\r\n', { codec: 'pcmu', payloadType: 0 }],
    [
      'a number of its own',
      'm=audio 4 RTP/AVP 97\r\na=rtpmap:97 pcmu/8000/1\r\n',
      { codec: 'pcmu', payloadType: 97 },
    ],
    ['PCMA at 96', 'm=audio 4 RTP/AVP 96\r\na=rtpmap:96 PCMA/8000\r\n', { codec: 'pcma', payloadType: 96 }],
    [
      'events at 97',
      'm=audio 4 RTP/AVP 0 97\r\na=rtpmap:97 telephone-event/8000\r\n',
      { eventPayloadType: 97 },
    ],
    [
      'events of another clock',
      'm=audio 4 RTP/AVP 0 97\r\na=rtpmap:97 telephone-event/48000\r\n',
      { eventPayloadType: null },
    ],
    [
      'comfort noise left out',
      'm=audio 4 RTP/AVP 0 13\r\na=rtpmap:13 CN/8000\r\n',
      { codec: 'pcmu', eventPayloadType: null },
    ],
    ['ptime 40', 'm=audio 4 RTP/AVP 0\r\na=ptime:40\r\n', { ptimeMs: 40 }],
    ['ptime 0', 'm=audio 4 RTP/AVP 0\r\na=ptime:0\r\n', { ptimeMs: 20 }],
    ['ptime of no number', 'm=audio 4 RTP/AVP 0\r\na=ptime:x\r\n', { ptimeMs: 20 }],
    ['maxptime under ptime', 'm=audio 4 RTP/AVP 0\r\na=ptime:60\r\na=maxptime:30\r\n', { ptimeMs: 30 }],
    ['maxptime 10', 'm=audio 4 RTP/AVP 0\r\na=maxptime:10\r\n', { ptimeMs: 10 }],
    ['a media address', 'm=audio 4 RTP/AVP 0\r\nc=IN IP4 203.0.113.9\r\n', { remoteAddress: '203.0.113.9' }],
    [
      'an RTCP port (RFC 3605)',
      'm=audio 4 RTP/AVP 0\r\na=rtcp:53020 IN IP4 203.0.113.9\r\n',
      { remoteRtcpPort: 53_020 },
    ],
    ['the last port', 'm=audio 65535 RTP/AVP 0\r\n', { remotePort: 65_535, remoteRtcpPort: 0 }],
    ['a number of ports', 'm=audio 49170/2 RTP/AVP 0\r\n', { remotePort: 49_170 }],
    ['rtcp-mux', 'm=audio 4 RTP/AVP 0\r\na=rtcp-mux\r\n', { remoteRtcpPort: 5 }],
    ['a hold', 'm=audio 4 RTP/AVP 0\r\na=sendonly\r\n', { direction: 'recvonly' }],
    ['a listener', 'm=audio 4 RTP/AVP 0\r\na=recvonly\r\n', { direction: 'sendonly' }],
    ['silence both ways', 'm=audio 4 RTP/AVP 0\r\na=inactive\r\n', { direction: 'inactive' }],
    ['hold of old', 'm=audio 4 RTP/AVP 0\r\nc=IN IP4 0.0.0.0\r\n', { direction: 'recvonly' }],
    [
      'hold of old, inactive',
      'm=audio 4 RTP/AVP 0\r\nc=IN IP4 0.0.0.0\r\na=recvonly\r\n',
      { direction: 'inactive' },
    ],
  ] as const)('%s', (_, media, expected) => {
    const { settings, text } = taken(HEAD + media);
    expect(settings).toMatchObject(expected);
    expect(text).toContain(`a=${settings.direction}\r\n`);
    expect(text).not.toContain('rtcp-mux');
    expect(text).not.toContain('CN/8000');
  });

  it('obeys a direction of the session unless the m-line has its own', () => {
    expect(taken(`${HEAD}a=sendonly\r\n${AUDIO}`).settings.direction).toBe('recvonly');
    expect(taken(`${HEAD}a=sendonly\r\n${AUDIO}a=sendrecv\r\n`).settings.direction).toBe('sendrecv');
  });

  it('holds the peer when we want to', () => {
    expect(taken(HEAD + AUDIO, { ...ours, direction: 'sendonly' }).settings.direction).toBe('sendonly');
    const held = taken(`${HEAD}${AUDIO}a=sendonly\r\n`, { ...ours, direction: 'sendonly' });
    expect(held.settings.direction).toBe('inactive');
  });

  it('takes the first usable m-line and refuses the others in their places', () => {
    const offer = `${HEAD}m=video 5000 RTP/AVP 31\r\nm=audio 0 RTP/AVP 0\r\nm=audio 6000 RTP/SAVP 0\r\n${AUDIO}m=audio 7000 RTP/AVP 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n`;
    const { text, line } = taken(offer);
    expect(mLines(text)).toEqual([
      'm=video 0 RTP/AVP 31',
      'm=audio 0 RTP/AVP 0',
      'm=audio 0 RTP/SAVP 0',
      'm=audio 40000 RTP/AVP 0 101',
      'm=audio 0 RTP/AVP 0',
      'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
    ]);
    expect(line).toBe(3);
  });

  it('answers AVPF as AVPF', () => {
    expect(mLines(taken(`${HEAD}m=audio 4 RTP/AVPF 0\r\n`).text)).toEqual(['m=audio 40000 RTP/AVPF 0']);
  });

  it('speaks IPv6 from end to end', () => {
    const { text, settings } = taken(
      'v=0\r\no=- 1 1 IN IP6 2001:db8::7\r\ns=-\r\nc=IN IP6 2001:db8::7\r\nt=0 0\r\nm=audio 4 RTP/AVP 0\r\n',
      ours6,
    );
    expect(settings.remoteAddress).toBe('2001:db8::7');
    expect(text).toContain('c=IN IP6 2001:db8::1\r\n');
  });

  it('reads lines that end in a newline alone, an empty last line, and a last line without an end', () => {
    expect(taken((HEAD + AUDIO).replaceAll('\r\n', '\n')).settings.codec).toBe('pcmu');
    expect(taken(`${HEAD + AUDIO}\r\n`).settings.codec).toBe('pcmu');
    expect(taken((HEAD + AUDIO).slice(0, -2)).settings.eventPayloadType).toBe(101);
  });
});

describe('offers that are refused (threat T11)', () => {
  const many = (count: number, line: string): string => line.repeat(count);
  it.each([
    ['nothing at all', '', 400],
    ['no media', HEAD, 488],
    ['only unknown codecs', `${HEAD}m=audio 4 RTP/AVP 18 9\r\n`, 488],
    ['only telephone-event', `${HEAD}m=audio 4 RTP/AVP 101\r\na=rtpmap:101 telephone-event/8000\r\n`, 488],
    ['a static number that is mapped away', `${HEAD}m=audio 4 RTP/AVP 0\r\na=rtpmap:0 G729/8000\r\n`, 488],
    ['port 0', `${HEAD}m=audio 0 RTP/AVP 0\r\n`, 488],
    ['SAVP', `${HEAD}m=audio 4 RTP/SAVP 0\r\n`, 488],
    ['DTLS', `${HEAD}m=audio 4 UDP/TLS/RTP/SAVPF 0\r\n`, 488],
    ['video alone', `${HEAD}m=video 4 RTP/AVP 31\r\n`, 488],
    ['IPv6 to our IPv4', `${HEAD}m=audio 4 RTP/AVP 0\r\nc=IN IP6 2001:db8::7\r\n`, 488],
    ['a host name', `${HEAD}m=audio 4 RTP/AVP 0\r\nc=IN IP4 phone.example\r\n`, 488],
    ['no c-line', `${HEAD.replace('c=IN IP4 198.51.100.7\r\n', '')}m=audio 4 RTP/AVP 0\r\n`, 488],
    ['multicast', `${HEAD}m=audio 4 RTP/AVP 0\r\nc=IN IP4 224.2.1.1/127\r\n`, 488],
    ['broadcast', `${HEAD}m=audio 4 RTP/AVP 0\r\nc=IN IP4 255.255.255.255\r\n`, 488],
    ['a NUL in fmtp', `${HEAD}${AUDIO}a=fmtp:101 0-15\0\r\n`, 400],
    ['payload type 4294967296', `${HEAD}m=audio 4 RTP/AVP 4294967296\r\n`, 400],
    ['payload type 128', `${HEAD}m=audio 4 RTP/AVP 128\r\n`, 400],
    ['payload type −1', `${HEAD}m=audio 4 RTP/AVP -1\r\n`, 400],
    ['port 65536', `${HEAD}m=audio 65536 RTP/AVP 0\r\n`, 400],
    ['port −1', `${HEAD}m=audio -1 RTP/AVP 0\r\n`, 400],
    ['an m-line without formats', `${HEAD}m=audio 4 RTP/AVP\r\n`, 400],
    ['an empty m-line', `${HEAD}m=\r\n`, 400],
    ['an m-line before o=', `v=0\r\n${AUDIO}o=a 1 1 IN IP4 1.2.3.4\r\ns=-\r\n`, 400],
    ['s= before o=', `v=0\r\ns=-\r\no=a 1 1 IN IP4 1.2.3.4\r\nt=0 0\r\n${AUDIO}`, 400],
    ['o= twice', `${HEAD}o=a 1 1 IN IP4 1.2.3.4\r\n${AUDIO}`, 400],
    ['no v=', HEAD.slice(5) + AUDIO, 400],
    ['version 1', HEAD.replace('v=0', 'v=1') + AUDIO, 400],
    ['an o-line of letters', HEAD.replace('alice 1 1', 'alice one two') + AUDIO, 400],
    ['an o-line cut short', HEAD.replace(' IN IP4 198.51.100.7\r\ns', '\r\ns') + AUDIO, 400],
    ['a line without =', `${HEAD}hello\r\n${AUDIO}`, 400],
    ['a line that is folded', `${HEAD} a=x\r\n${AUDIO}`, 400],
    ['a c-line of nonsense', `${HEAD}${AUDIO}c=IN\r\n`, 400],
    ['a c-line of two minds', `${HEAD}${AUDIO}c=IN IP4 ::1\r\n`, 400],
    ['HTML', '<html><body>hello</body></html>', 400],
    ['21 m-lines', HEAD + many(21, 'm=audio 4 RTP/AVP 0\r\n'), 400],
    ['65 formats', `${HEAD}m=audio 4 RTP/AVP${many(65, ' 0')}\r\n`, 400],
    ['201 attributes', HEAD + AUDIO + many(201, 'a=x\r\n'), 400],
    ['201 attributes of the session', HEAD + many(201, 'a=x\r\n') + AUDIO, 400],
    ['more than 64 KiB', `${HEAD}i=${many(65_536, 'x')}\r\n${AUDIO}`, 400],
  ])('%s', (_, offer, status) => {
    expect(respond(offer)).toMatchObject({ refuse: status });
  });

  it('says why', () => {
    expect(respond(`${HEAD}m=video 1 RTP/AVP 31\r\nm=audio 4 RTP/SAVP 0\r\n`)).toEqual({
      refuse: 488,
      code: 302,
      why: 'No stream can be taken: its protocol is RTP/SAVP, and SRTP is off here.',
    });
  });

  it('20 m-lines and 200 attributes are still read', () => {
    expect(taken(HEAD + many(20, 'm=audio 4 RTP/AVP 0\r\n')).line).toBe(0);
    expect(taken(HEAD + AUDIO + many(198, 'a=x\r\n')).line).toBe(0);
  });
});

describe('an offer of ours (RFC 3264 §5)', () => {
  it('offers both laws and the keys, and understands its own answer', () => {
    const offer = makeOffer(ours);
    expect(mLines(offer.sdp.toString())).toEqual(['m=audio 40000 RTP/AVP 0 8 101']);
    const peer: OurSide = { address: '198.51.100.7', port: 6_000, sessionId: '5', version: 9 };
    const answer = answerOffer(parseSdp(offer.sdp), peer);
    if ('refuse' in answer) throw new Error(answer.why);
    expect(readAnswer(offer, parseSdp(answer.sdp))).toEqual<StreamSettings>({
      remoteAddress: '198.51.100.7',
      remotePort: 6_000,
      remoteRtcpPort: 6_001,
      codec: 'pcmu',
      payloadType: 0,
      eventPayloadType: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
    });
  });

  it.each([
    ['takes A-law', 'm=audio 4 RTP/AVP 8\r\n', { codec: 'pcma', payloadType: 8, eventPayloadType: null }],
    [
      'sends by the numbers of the answer',
      'm=audio 4 RTP/AVP 0 96\r\na=rtpmap:96 telephone-event/8000\r\n',
      { eventPayloadType: 96 },
    ],
    [
      'sends nothing to a peer that only sends',
      'm=audio 4 RTP/AVP 0\r\na=sendonly\r\n',
      { direction: 'recvonly' },
    ],
    [
      'has nothing when the port is 0',
      'm=audio 0 RTP/AVP 0\r\n',
      { fault: 'the answer cannot be used: its port is 0' },
    ],
    ['has nothing without m-lines', '', { fault: '0 m-lines answer an offer of 1' }],
    ['has nothing with one m-line too many', AUDIO + AUDIO, { fault: '2 m-lines answer an offer of 1' }],
    [
      'has nothing by a codec not offered',
      'm=audio 4 RTP/AVP 9\r\n',
      { fault: 'the answer cannot be used: it has no codec of ours' },
    ],
  ])('%s', (_, media, expected) => {
    expect(readAnswer(makeOffer(ours), parseSdp(bytes(HEAD + media)))).toMatchObject(expected);
  });

  it('offers a hold', () => {
    expect(makeOffer({ ...ours, direction: 'sendonly' }).sdp.toString()).toContain('a=sendonly\r\n');
  });
});

describe('the parser', () => {
  const runs = Number(process.env['FUZZ_SDP'] ?? 2_000);
  const good = `${HEAD}a=sendrecv\r\n${AUDIO}a=ptime:20\r\nm=video 5000 RTP/AVP 31\r\nc=IN IP4 198.51.100.8\r\n`;
  const piece = fc.constantFrom(
    '\r\n',
    '\n',
    '=',
    ' ',
    '\0',
    '4294967296',
    '-1',
    'm=audio',
    'a=rtpmap:',
    'c=IN IP4 ',
    '/',
    ':',
    'é',
    '￿',
  );
  const splice = fc.tuple(fc.nat(good.length), fc.nat(40), fc.oneof(piece, fc.string({ maxLength: 20 })));

  it('never throws on a mutated description, and its answer is always a description again', () => {
    fc.assert(
      fc.property(fc.array(splice, { minLength: 1, maxLength: 6 }), (splices) => {
        let text = good;
        for (const [at, cut, put] of splices) text = text.slice(0, at) + put + text.slice(at + cut);
        const offer = parseSdp(Buffer.from(text));
        const answer = answerOffer(offer, ours);
        if ('refuse' in answer || 'fault' in offer) return;
        const again = parseSdp(answer.sdp);
        if ('fault' in again) throw new Error(again.fault);
        expect(again.media.length).toBe(offer.media.length);
        expect(again.media.filter((media) => media.port !== 0)).toHaveLength(1);
        readAnswer(makeOffer(ours), offer);
      }),
      { numRuns: runs },
    );
  });

  it('never throws on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (garbage) => {
        parseSdp(Buffer.from(garbage));
      }),
      { numRuns: runs / 4 },
    );
  });
});

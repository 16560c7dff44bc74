import { expect, it } from 'vitest';
import { Negotiation } from '../../../media/sdp/negotiation.ts';
import { MAX_STORED_LEG, readStoredLeg, storedLeg } from './stored-leg.ts';

const OFFER = Buffer.from(
  'v=0\r\no=- 1 1 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8 96\r\n' +
    'a=rtpmap:96 telephone-event/8000\r\nm=video 4002 RTP/AVP 99\r\n',
);
const dialog = {
  callId: 'c',
  local: '<sip:a@b>;tag=1',
  remote: '<sip:c@d>;tag=2',
  routes: ['<sip:192.0.2.5;lr>'],
  target: 'sip:c@203.0.113.9',
  localSeq: 1,
  remoteSeq: 2,
  ownsCallId: false,
  protocol: 'udp',
  hop: { address: '192.0.2.5', port: 5060 },
} as const;
const HOPS = { hops: 68, passes: 1 };
const oLine = (sdp: Buffer) => /o=- (\d+) (\d+)/.exec(sdp.toString()) ?? [];

it('a leg is text and a leg again: its next offer goes on with ids, versions, m-lines and payload types', () => {
  const before = new Negotiation({ address: '10.0.0.1', port: 5000 });
  expect(storedLeg({ stored: () => dialog }, before, HOPS)).toBe(null);
  const answer = before.answer(OFFER);
  if ('refuse' in answer) throw new Error(answer.why);
  const text = storedLeg({ stored: () => dialog }, before, HOPS) ?? '';
  const read = readStoredLeg(text);
  expect(read).toMatchObject({ dialog, ...HOPS });
  const offer = new Negotiation({ address: '10.0.0.2', port: 6000 }, read?.media).offer();
  const [[, id, version], [, newId, newVersion]] = [oLine(answer.sdp), oLine(offer)];
  expect(newId).toBe(id);
  expect(Number(newVersion)).toBeGreaterThan(Number(version));
  expect(offer.toString()).toContain('c=IN IP4 10.0.0.2');
  expect(offer.toString()).toMatch(/m=audio 6000 RTP\/AVP 8 .*96\r\n[\s\S]*m=video 0 RTP\/AVP 99/);
});

it('an encrypted leg that another node had is taken up with the counter that its peer may have by now', () => {
  const srtp = { mode: 'offered', offers: true } as const;
  const peer = new Negotiation({ address: '203.0.113.9', port: 4_000, srtp });
  const before = new Negotiation({ address: '10.0.0.1', port: 5_000, srtp });
  const answer = before.answer(peer.offer());
  if ('refuse' in answer) throw new Error(answer.why);
  expect(answer.settings.srtp?.rollovers).toBeUndefined();
  const read = readStoredLeg(storedLeg({ stored: () => dialog }, before, HOPS) ?? '');
  if (!read) throw new Error('not stored');
  const rollovers = (passedMs: number) => {
    const startedAtMs = (read.media.startedAtMs ?? Number.NaN) - passedMs;
    const after = new Negotiation({ address: '10.0.0.2', port: 6_000 }, { ...read.media, startedAtMs });
    const answered = peer.answer(after.offer());
    if ('refuse' in answered) throw new Error(answered.why);
    const settings = after.accept(answered.sdp);
    return 'fault' in settings ? settings : settings.srtp?.rollovers;
  };
  // 22 minutes are one round of packets of 20 ms, and two of those of 10 ms.
  expect([rollovers(0), rollovers(22 * 60_000), rollovers(10 * 24 * 3_600_000)]).toEqual([
    expect.toSatisfy((few: number) => few <= 2),
    4,
    256,
  ]);
});

it('without a dialog it is not stored, nor when it is too long; what is not one of ours is not read', () => {
  const negotiation = new Negotiation({ address: '10.0.0.1', port: 5000 });
  negotiation.answer(OFFER);
  expect(storedLeg({ stored: () => null }, negotiation, HOPS)).toBe(null);
  const long = { ...dialog, target: `sip:${'x'.repeat(MAX_STORED_LEG)}@b` };
  expect(storedLeg({ stored: () => long }, negotiation, HOPS)).toBe(null);
  for (const text of ['', 'null', '{}', '{"dialog":{"local":""},"media":{}}', '[1]'])
    expect(readStoredLeg(text)).toBe(null);
});

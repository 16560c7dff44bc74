import { describe, expect, it } from 'vitest';
import { Negotiation } from './negotiation.ts';

const local = { address: '192.0.2.1', port: 40_000 };

function description(media: string): Buffer {
  return Buffer.from(
    `v=0\r\no=- 1 1 IN IP4 198.51.100.7\r\ns=-\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n${media}`,
  );
}

const AUDIO = 'm=audio 6000 RTP/AVP 8 97\r\na=rtpmap:97 telephone-event/8000\r\n';
const line = (sdp: Buffer, start: string): string[] =>
  sdp
    .toString('latin1')
    .split('\r\n')
    .filter((text) => text.startsWith(start));
const origin = (sdp: Buffer): string[] => (line(sdp, 'o=')[0] ?? '').split(' ').slice(1, 3);

function answered(negotiation: Negotiation, offer: Buffer): Buffer {
  const answer = negotiation.answer(offer);
  if ('refuse' in answer) throw new Error(answer.why);
  return answer.sdp;
}

describe('a negotiation over the life of a dialog', () => {
  it('keeps its id, and raises the version by one with each change alone (RFC 3264 §8)', () => {
    const negotiation = new Negotiation(local);
    const first = answered(negotiation, description(AUDIO));
    const same = answered(negotiation, description(AUDIO));
    const held = answered(negotiation, description(`${AUDIO}a=sendonly\r\n`));
    const resumed = answered(negotiation, description(AUDIO));
    const [id] = origin(first);
    expect([first, same, held, resumed].map(origin)).toEqual([
      [id, '1'],
      [id, '1'],
      [id, '2'],
      [id, '3'],
    ]);
    expect(same).toEqual(first);
  });

  it('offers again with the m-lines in their places, the codec in use first and the numbers kept', () => {
    const negotiation = new Negotiation(local);
    answered(negotiation, description(`m=video 5000 RTP/AVP 31\r\n${AUDIO}`));
    expect(line(negotiation.offer('sendonly'), 'm=')).toEqual([
      'm=video 0 RTP/AVP 31',
      'm=audio 40000 RTP/AVP 8 0 97',
    ]);
    const settings = negotiation.accept(description(`m=video 0 RTP/AVP 31\r\n${AUDIO}a=recvonly\r\n`));
    expect(settings).toMatchObject({ codec: 'pcma', direction: 'sendonly' });
  });

  it('is agreed on by a delayed offer: ours in the 200, theirs in the ACK', () => {
    const negotiation = new Negotiation(local);
    expect(negotiation.settings).toBeNull();
    negotiation.offer();
    negotiation.accept(description('m=audio 6000 RTP/AVP 0\r\n'));
    expect(negotiation.settings).toMatchObject({ codec: 'pcmu', eventPayloadType: null, remotePort: 6_000 });
  });

  it('takes an early answer and then the final one', () => {
    const negotiation = new Negotiation(local);
    negotiation.offer();
    expect(negotiation.accept(description('m=audio 6000 RTP/AVP 0\r\n'))).toMatchObject({
      remotePort: 6_000,
    });
    expect(negotiation.accept(description('m=audio 7000 RTP/AVP 0\r\n'))).toMatchObject({
      remotePort: 7_000,
    });
  });

  it('leaves everything as it was when an offer is refused or an answer is none', () => {
    const negotiation = new Negotiation(local);
    answered(negotiation, description(AUDIO));
    const before = negotiation.settings;
    expect(negotiation.answer(description('m=audio 6000 RTP/SAVP 0\r\n'))).toMatchObject({ refuse: 488 });
    expect(negotiation.accept(description(AUDIO))).toEqual({ fault: 'an answer without an offer' });
    negotiation.offer('sendonly');
    expect(negotiation.accept(Buffer.from('nonsense'))).toHaveProperty('fault');
    expect(negotiation.settings).toBe(before);
  });
});

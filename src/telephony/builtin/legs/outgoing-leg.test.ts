import { expect, it } from 'vitest';
import type { LegEnd } from '../../telephony.ts';
import { mediaStandIn, recordingEvents, SessionStandIn, soon } from '../testing/stand-ins.ts';
import { OutgoingLeg } from './outgoing-leg.ts';

const ANSWER = Buffer.from(
  'v=0\r\no=- 1 1 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n',
);

function ringing(phones: number) {
  const reported: string[] = [];
  let gone = 0;
  const leg = new OutgoingLeg(() => {
    gone += 1;
  });
  const { media, events, negotiation } = mediaStandIn(leg);
  leg.begin(media, () => negotiation);
  leg.listen(recordingEvents(reported));
  const sessions: SessionStandIn[] = [];
  leg.invite(
    Array.from({ length: phones }, () => ({
      carriage: 'plain',
      address: '192.0.2.1',
      srtp: { mode: 'off', offers: false },
      send: (_offer, sessionEvents, callId) => {
        const session = new SessionStandIn({ events: sessionEvents, callId });
        sessions.push(session);
        return session;
      },
    })),
  );
  return { leg, reported, sessions, stream: events, gone: () => gone };
}

it('when the stream fails before an answer no phone rings on', async () => {
  const { reported, sessions, stream, gone } = ringing(2);
  stream.failed?.('The media worker ended.');
  await soon();
  expect(sessions.map(({ did }) => did)).toEqual([['hang up'], ['hang up']]);
  expect(reported).toEqual(['ended by us: failed']);
  expect(gone()).toBe(1);
});

it('when the stream falls silent after the answer, the answered phone is hung up on, once', async () => {
  const { reported, sessions, stream } = ringing(2);
  sessions[1]?.events?.answered(ANSWER);
  stream.silent();
  stream.silent();
  await soon();
  expect(sessions.map(({ did }) => did)).toEqual([['hang up'], ['hang up']]);
  expect(reported).toEqual(['answered', 'ended by timeout: ended']);
});

it('has the Call-ID of its first phone, and of the one that answers', () => {
  const { leg, sessions } = ringing(2);
  expect(leg.callId).toBe(sessions[0]?.callId);
  sessions[1]?.events?.answered(ANSWER);
  expect(leg.callId).toBe(sessions[1]?.callId);
  expect(sessions[1]?.callId).not.toBe(sessions[0]?.callId);
});

it('hanging up ends the answered session, or all that ring, once', async () => {
  const ring = ringing(2);
  ring.leg.hangUp();
  ring.leg.hangUp();
  const talk = ringing(2);
  talk.sessions[0]?.events?.answered(ANSWER);
  talk.leg.hangUp();
  await soon();
  expect(ring.sessions.map(({ did }) => did)).toEqual([['hang up'], ['hang up']]);
  expect(talk.sessions.map(({ did }) => did)).toEqual([['hang up'], ['hang up']]);
  expect(ring.reported).toEqual(['ended by us: no-answer']);
  expect(talk.reported).toEqual(['answered', 'ended by us: ended']);
});

const early = (port: number): Buffer => Buffer.from(ANSWER.toString().replace('4000', String(port)));

it('has early media as soon as one phone rings alone, the newest of its branches, and says so once', () => {
  const { leg, reported, sessions } = ringing(2);
  sessions[0]?.events?.progressed(180, null);
  sessions[1]?.events?.progressed(183, early(5000));
  expect(reported).toEqual(['ringing']);
  sessions[0]?.events?.ended({ by: 'peer', status: 486, cause: null, reason: 'Busy Here' });
  expect(reported).toEqual(['ringing', 'early media']);
  expect(leg.mediaSide?.settings).toMatchObject({ remotePort: 5000, early: 'verified' });
  sessions[1]?.events?.progressed(183, early(6000));
  expect(leg.mediaSide?.settings).toMatchObject({ remotePort: 6000, early: 'verified' });
  expect(leg.stored()).toBeNull();
  sessions[1]?.events?.answered(early(7000));
  expect(leg.mediaSide?.settings?.remotePort).toBe(7000);
  expect(leg.mediaSide?.settings?.early).toBeUndefined();
  expect(reported).toEqual(['ringing', 'early media', 'answered']);
});

it('an announcement that is only sent (sendonly) is no hold; an answer that is, is one', () => {
  const { leg, reported, sessions } = ringing(1);
  const onlySent = Buffer.concat([ANSWER, Buffer.from('a=sendonly\r\n')]);
  sessions[0]?.events?.progressed(183, onlySent);
  expect(leg.mediaSide?.settings?.direction).toBe('recvonly');
  expect(leg.mediaSide?.isHeld).toBe(false);
  sessions[0]?.events?.answered(onlySent);
  expect(leg.mediaSide?.isHeld).toBe(true);
  expect(reported).toContain('held');
});

it('early media that cannot be used is none, and the call goes on', () => {
  const { reported, sessions } = ringing(1);
  sessions[0]?.events?.progressed(183, Buffer.from('nonsense'));
  sessions[0]?.events?.answered(ANSWER);
  expect(reported).toEqual(['ringing', 'answered']);
});

it('an UPDATE of the early dialog moves the early media, and the 200 after it may say nothing new', () => {
  const { leg, sessions } = ringing(1);
  sessions[0]?.events?.progressed(183, early(5000));
  const answers: (string | undefined)[] = [];
  sessions[0]?.events?.offered(early(6000), (sdp) => void answers.push(sdp?.toString()));
  expect(answers[0]).toContain('m=audio');
  expect(leg.mediaSide?.settings).toMatchObject({ remotePort: 6000, early: 'verified' });
  sessions[0]?.events?.answered(early(5000));
  expect(leg.mediaSide?.settings?.remotePort).toBe(6000);
});

it('a refusal keeps its status, cause and warning', () => {
  const { leg, sessions } = ringing(1);
  const ends: LegEnd[] = [];
  leg.listen({ ...recordingEvents([]), ended: (end) => void ends.push(end) });
  const warning = { code: 305, text: 'no codec' };
  sessions[0]?.events?.ended({ by: 'peer', status: 488, cause: 65, reason: 'Not Acceptable Here', warning });
  expect(ends).toMatchObject([{ outcome: 'failed', status: 488, cause: 65, warning }]);
});

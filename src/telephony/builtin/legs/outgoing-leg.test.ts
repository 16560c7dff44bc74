import { expect, it } from 'vitest';
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
  leg.begin(media, negotiation);
  leg.listen(recordingEvents(reported));
  const sessions: SessionStandIn[] = [];
  leg.invite(
    Array.from({ length: phones }, () => (_offer, sessionEvents, callId) => {
      const session = new SessionStandIn({ events: sessionEvents, callId });
      sessions.push(session);
      return session;
    }),
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

import { expect, it } from 'vitest';
import type { LegEnd } from '../../telephony.ts';
import { inviteOf, mediaStandIn, recordingEvents, SessionStandIn, soon } from '../testing/stand-ins.ts';
import { IncomingLeg } from './incoming-leg.ts';

function incoming() {
  const session = new SessionStandIn();
  let gone = 0;
  const leg = new IncomingLeg(session, () => {
    gone += 1;
  });
  const { media, negotiation } = mediaStandIn(leg);
  expect(leg.begin(media, negotiation, null)).toBeNull();
  return { session, leg, gone: () => gone };
}

it('a caller who hangs up before a listener is set is reported to it, once', async () => {
  const { session, leg, gone } = incoming();
  session.events?.ended({ by: 'peer', status: 487, cause: null, reason: 'The caller gave up.' });
  await soon();
  expect(gone()).toBe(1);
  const events: string[] = [];
  leg.listen(recordingEvents(events));
  expect(events).toEqual([]);
  await soon();
  expect(events).toEqual(['ended by peer: failed']);
  leg.listen(recordingEvents(events));
  await soon();
  expect(events.length).toBe(1);
});

it('a caller who hangs up while its stream closes is reported as soon as a listener is set', async () => {
  const { session, leg } = incoming();
  const events: string[] = [];
  session.events?.ended({ by: 'peer', status: 487, cause: null, reason: 'The caller gave up.' });
  leg.listen(recordingEvents(events));
  await soon();
  expect(events).toEqual(['ended by peer: failed']);
});

it('knows how often its call passed us; what is no number counts as never (T41)', () => {
  const passes = (header: string): number =>
    new IncomingLeg(new SessionStandIn({ invite: inviteOf(header) }), () => undefined).passes;
  const given = ['X-Dialtree-Passes: 4\r\n', 'x-dialtree-passes: 12\r\n', 'X-Dialtree-Passes: -1\r\n', ''];
  expect(given.map(passes)).toEqual([4, 12, 0, 0]);
});

it('limits the hops of its call to Max-Forwards, and to 70', () => {
  const hops = (header: string): number =>
    new IncomingLeg(new SessionStandIn({ invite: inviteOf(header) }), () => undefined).hops;
  expect([hops('Max-Forwards: 3\r\n'), hops('Max-Forwards: 255\r\n'), hops('')]).toEqual([3, 70, 70]);
});

it('a failure of our media ends an answered caller with BYE and refuses one that waits; neither is blamed (R30)', async () => {
  for (const isAnswered of [false, true]) {
    const { session, leg } = incoming();
    const events: string[] = [];
    const ends: LegEnd[] = [];
    leg.listen({ ...recordingEvents(events), ended: (end) => void ends.push(end) });
    if (isAnswered) leg.answer();
    leg.failed('The media worker ended.');
    leg.failed('The media worker ended.');
    await soon();
    expect(session.did.at(-1)).toBe(isAnswered ? 'hang up' : '503');
    expect(ends).toMatchObject([{ by: 'us', cause: 41, isFault: true, text: 'The media worker ended.' }]);
  }
});

const OFFER = Buffer.from(
  'v=0\r\no=- 1 1 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n',
);

function offering(isVerified: boolean, offer: Buffer | null = OFFER) {
  const session = new SessionStandIn();
  const leg = new IncomingLeg(session, () => undefined);
  leg.verifyBy(() => isVerified, { kind: 'trunk', id: 't' });
  const { media, negotiation } = mediaStandIn(leg);
  expect(leg.begin(media, negotiation, offer)).toBeNull();
  return { session, leg, early: () => leg.mediaSide?.settings?.early };
}

it('183 goes out once, no 180 after it, and media only to a verified address until PRACK or ACK (T45)', () => {
  for (const isVerified of [true, false]) {
    const { session, leg, early } = offering(isVerified);
    leg.ring();
    leg.progress();
    leg.progress();
    leg.ring();
    expect(session.did).toEqual(['180', '183']);
    expect(early()).toBe(isVerified ? 'verified' : 'unverified');
    session.events?.pracked?.(null);
    expect(early()).toBe('verified');
    leg.answer();
    leg.progress();
    expect(session.did).toEqual(['180', '183', '200']);
    expect(early()).toBe('verified');
    session.events?.confirmed(null);
    expect(leg.mediaSide?.settings).toBeTruthy();
    expect(early()).toBeUndefined();
  }
});

it('without an offer early media needs a caller that answers ours by PRACK; others get 180', () => {
  const plain = offering(true, null);
  plain.leg.progress();
  expect(plain.session.did).toEqual(['180']);
  const reliable = offering(true, null);
  reliable.session.takesReliable = true;
  reliable.leg.progress();
  expect(reliable.session.did).toEqual(['183']);
  expect(reliable.leg.mediaSide?.settings).toBeNull();
  reliable.session.events?.pracked?.(OFFER);
  expect(reliable.early()).toBe('verified');
});

it('what the called side said is passed on to a caller who was not answered, and to no other', () => {
  const refusal: LegEnd = { by: 'peer', outcome: 'busy', cause: null, status: 486, text: 'Busy Here' };
  const waiting = offering(true);
  waiting.leg.hangUp(20, refusal);
  const silent = offering(true);
  silent.leg.hangUp(20, { ...refusal, by: 'timeout', status: 408 });
  const talking = offering(true);
  talking.leg.answer();
  talking.leg.hangUp(20, refusal);
  const dids = [waiting, silent, talking].map(({ session }) => session.did);
  expect(dids).toEqual([['486'], ['480'], ['200', 'hang up']]);
});

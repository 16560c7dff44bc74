// A leg ends once, whether its session or its stream ends first.

import { expect, it } from 'vitest';
import type { MediaEngine, Stream, StreamEvents, StreamStatistics } from '../../../media/media.ts';
import { Negotiation } from '../../../media/sdp/negotiation.ts';
import { Ladder } from '../../../sip/ladder.ts';
import { NO_BODY } from '../../../sip/message.ts';
import type { IncomingSession, OutgoingSession, SessionEvents } from '../../../sip/session.ts';
import type { LegEnd, LegEvents } from '../../telephony.ts';
import { IncomingLeg } from './incoming-leg.ts';
import { MediaSide } from './media-side.ts';
import { OutgoingLeg } from './outgoing-leg.ts';
import { SoundCache } from './sound-cache.ts';

const STATISTICS: StreamStatistics = {
  packetsSent: 7,
  packetsReceived: 0,
  packetsLost: 0,
  jitterMs: 0,
  bufferMs: 0,
  packetsLate: 0,
  remoteLost: null,
  remoteJitterMs: null,
  roundTripMs: null,
  strangers: 0,
  oneWay: false,
};
const nothing = (): void => undefined;
const stream: Stream = {
  port: 20_000,
  configure: nothing,
  play: nothing,
  stop: nothing,
  bridge: nothing,
  unbridge: nothing,
  linkBot: nothing,
  playBackground: nothing,
  sendKeys: nothing,
  tap: nothing,
  record: () => undefined,
  stopRecording: () => undefined,
  listenIn: () => undefined,
  close: async () => STATISTICS,
};

function mediaOf(
  events: Parameters<typeof MediaSide.open>[1],
  sounds: { readonly audio: Buffer | null; readonly load: MediaEngine['loadSound'] } = {
    audio: null,
    load: nothing,
  },
): {
  media: MediaSide;
  streamEvents: StreamEvents;
} {
  let streamEvents: StreamEvents = events;
  const engine: MediaEngine = {
    adapter: 'none',
    fallback: null,
    open: (given) => {
      streamEvents = given;
      return stream;
    },
    openConference: () => {
      throw new Error('no conference is opened');
    },
    loadSound: sounds.load,
    unloadSound: nothing,
    openStreams: 0,
    ownsPort: () => false,
    readyPairs: 0,
    close: async () => undefined,
  };
  const cache = new SoundCache(engine, async () => sounds.audio);
  const media = MediaSide.open({ engine, sounds: cache, webrtc: null }, events);
  if (!media) throw new Error('there is a stream');
  return { media, streamEvents };
}

/** A session that reports its end when it is hung up, as the real ones do. */
function session(events: () => SessionEvents | null, hungUp: string[]): IncomingSession & OutgoingSession {
  return {
    callId: 'call',
    ladder: new Ladder(performance),
    invite: {
      kind: 'request',
      method: 'INVITE',
      uri: 'sip:100@test',
      headers: [],
      from: { display: '', uri: 'sip:a@test', params: new Map() },
      to: { display: '', uri: 'sip:b@test', params: new Map() },
      callId: 'call',
      cseq: { number: 1, method: 'INVITE' },
      body: NO_BODY,
    },
    flow: {
      protocol: 'udp',
      local: { address: '127.0.0.1', port: 1 },
      remote: { address: '127.0.0.1', port: 2 },
      connection: 0,
    },
    connection: 0,
    keepFlow: nothing,
    follow: nothing,
    takesReliable: false,
    listen: nothing,
    progress: nothing,
    answer: nothing,
    reject: nothing,
    reinvite: nothing,
    stored: () => null,
    abandon: nothing,
    hangUp: (reason = '') => {
      hungUp.push(reason);
      events()?.ended({ by: 'us', status: null, cause: null, reason });
    },
  };
}

function listener(ends: LegEnd[]): LegEvents {
  const quiet = {
    ringing: nothing,
    earlyMedia: nothing,
    answered: nothing,
    keyPressed: nothing,
    played: nothing,
  };
  const more = { soundMissing: nothing, held: nothing, resumed: nothing, oneWay: nothing };
  return { ...quiet, ...more, transferAsked: nothing, ended: (end) => ends.push(end) };
}

const SILENCE = { by: 'timeout', outcome: 'ended', cause: 102, text: 'No audio came for too long.' };

it('an incoming leg whose peer falls silent ends by a time-out, and says so on the wire', async () => {
  const ends: LegEnd[] = [];
  const hungUp: string[] = [];
  let events: SessionEvents | null = null;
  const listen = (given: SessionEvents): void => {
    events = given;
  };
  const peer = { ...session(() => events, hungUp), listen };
  const leg = new IncomingLeg(peer, nothing);
  leg.listen(listener(ends));
  const { media, streamEvents } = mediaOf(leg);
  leg.begin(media, new Negotiation({ address: '127.0.0.1', port: 20_000 }), null);
  leg.answer();
  streamEvents.silent();
  await new Promise(setImmediate);
  expect(ends).toEqual([expect.objectContaining(SILENCE)]);
  expect(hungUp).toEqual([expect.stringContaining('cause=102')]);
});

it('an outgoing leg whose peer falls silent ends by a time-out, and says so on the wire', async () => {
  const ends: LegEnd[] = [];
  const hungUp: string[] = [];
  let events: SessionEvents | null = null;
  const leg = new OutgoingLeg(nothing);
  leg.listen(listener(ends));
  const { media, streamEvents } = mediaOf(leg);
  const ours = new Negotiation({ address: '127.0.0.1', port: 20_000 });
  leg.begin(media, () => ours);
  let answer: Buffer | null = null;
  const send = (offer: Buffer, given: SessionEvents): OutgoingSession => {
    events = given;
    const theirs = new Negotiation({ address: '127.0.0.1', port: 30_000 }).answer(offer);
    answer = 'sdp' in theirs ? theirs.sdp : null;
    return session(() => events, hungUp);
  };
  leg.invite([{ carriage: 'plain', address: '192.0.2.1', srtp: { mode: 'off', offers: false }, send }]);
  (events as SessionEvents | null)?.answered(answer);
  streamEvents.silent();
  await new Promise(setImmediate);
  expect(ends).toEqual([expect.objectContaining(SILENCE)]);
  expect(hungUp).toEqual([expect.stringContaining('cause=102')]);
});

it('a leg ends when the media engine does not take its sound, and the error reaches no other', async () => {
  const ends: LegEnd[] = [];
  let events: SessionEvents | null = null;
  const leg = new OutgoingLeg(nothing);
  leg.listen(listener(ends));
  const load = (): never => {
    throw new Error('a bug');
  };
  const { media } = mediaOf(leg, { audio: Buffer.alloc(160), load });
  leg.begin(media, () => new Negotiation({ address: '127.0.0.1', port: 20_000 }));
  let answer: Buffer | null = null;
  const send = (offer: Buffer, given: SessionEvents): OutgoingSession => {
    events = given;
    const theirs = new Negotiation({ address: '127.0.0.1', port: 30_000 }).answer(offer);
    answer = 'sdp' in theirs ? theirs.sdp : null;
    return session(() => events, []);
  };
  leg.invite([{ carriage: 'plain', address: '192.0.2.1', srtp: { mode: 'off', offers: false }, send }]);
  (events as SessionEvents | null)?.answered(answer);
  leg.play(1, { kind: 'recording', sha256: 'x' });
  await expect.poll(() => ends).toMatchObject([{ text: expect.stringContaining('a bug') }]);
});

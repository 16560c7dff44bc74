// Fakes for the tests of legs: a session, an engine, and listeners that record events.
import type { MediaEngine, Stream, StreamEvents } from '../../../media/media.ts';
import { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { Webrtc } from '../../../media/webrtc/webrtc.ts';
import { Ladder } from '../../../sip/ladder.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { parseMessage } from '../../../sip/parse.ts';
import type { IncomingSession, OutgoingSession, SessionEvents } from '../../../sip/session.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { LegEvents, TransferAnswer } from '../../telephony.ts';
import { MediaSide, NO_STATISTICS } from '../legs/media-side.ts';
import { SoundCache } from '../legs/sound-cache.ts';

const FLOW: TransportFlow = {
  protocol: 'udp',
  local: { address: '192.0.2.1', port: 5060 },
  remote: { address: '203.0.113.9', port: 40_000 },
  connection: 0,
};

export function inviteOf(more = ''): SipRequest {
  const message = parseMessage(
    Buffer.from(
      'INVITE sip:100@dialtree.example SIP/2.0\r\nVia: SIP/2.0/UDP 203.0.113.9;branch=z9hG4bKabc\r\n' +
        'From: <sip:1001@dialtree.example>;tag=a\r\nTo: <sip:100@dialtree.example>\r\nCall-ID: c\r\n' +
        `CSeq: 1 INVITE\r\nContact: <sip:1001@203.0.113.9>\r\n${more}Content-Length: 0\r\n\r\n`,
    ),
  );
  if (message.kind !== 'request') throw new Error(JSON.stringify(message));
  return message;
}

/** Either kind of session; tests call `events` as the peer. */
export class SessionStandIn implements IncomingSession, OutgoingSession {
  readonly callId: string;
  readonly flow = FLOW;
  readonly connection = FLOW.connection;
  readonly ladder = new Ladder(performance);
  readonly invite: SipRequest;
  readonly did: string[] = [];
  takesReliable = false;
  events: SessionEvents | null;

  constructor({ invite = inviteOf(), events = null as SessionEvents | null, callId = 'c' } = {}) {
    this.callId = callId;
    this.invite = invite;
    this.events = events;
  }

  keepFlow(): void {}

  follow(): void {}

  listen(events: SessionEvents): void {
    this.events = events;
  }

  progress(status: number): void {
    this.did.push(`${status}`);
  }

  answer(): void {
    this.did.push('200');
  }

  reject(status: number): void {
    this.did.push(`${status}`);
    this.#over(status);
  }

  hangUp(): void {
    this.did.push('hang up');
    this.#over(null);
  }

  reinvite(): void {}

  stored(): null {
    return null;
  }

  abandon(): void {
    this.did.push('abandon');
    this.events = null;
  }

  #over(status: number | null): void {
    const events = this.events;
    this.events = null;
    events?.ended({ by: 'us', status, cause: null, reason: '' });
  }
}

/** Tests call `events` as the stream. */
export function mediaStandIn(
  events: StreamEvents & { soundMissing(n: number): void },
  {
    webrtc = null,
    configure,
  }: { readonly webrtc?: Webrtc | null; readonly configure?: Stream['configure'] } = {},
) {
  const nothing = (): void => undefined;
  const stream: Stream = {
    port: 10_000,
    configure: configure ?? nothing,
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
    close: async () => ({
      ...NO_STATISTICS,
      remoteLost: null,
      remoteJitterMs: null,
      roundTripMs: null,
      strangers: 0,
    }),
  };
  const engine: MediaEngine = {
    adapter: 'none',
    fallback: null,
    open: () => stream,
    openConference: () => {
      throw new Error('no conference is opened');
    },
    loadSound: nothing,
    unloadSound: nothing,
    openStreams: 0,
    ownsPort: () => false,
    readyPairs: 0,
    close: async () => undefined,
  };
  const sounds = new SoundCache(engine, async () => null);
  const media = MediaSide.open({ engine, sounds, webrtc }, events);
  if (!media) throw new Error('no stream');
  return { media, events, negotiation: new Negotiation({ address: '192.0.2.1', port: stream.port }) };
}

/** Records the events of a leg. */
export function recordingEvents(events: string[], transfer: TransferAnswer = (done) => done()): LegEvents {
  return {
    ringing: () => void events.push('ringing'),
    earlyMedia: () => void events.push('early media'),
    answered: () => void events.push('answered'),
    keyPressed: (key) => void events.push(`key ${key}`),
    played: (playback) => void events.push(`played ${playback}`),
    soundMissing: () => void events.push('missing'),
    held: () => void events.push('held'),
    resumed: () => void events.push('resumed'),
    oneWay: () => void events.push('one way'),
    transferAsked: (dialled, replaces, answer) => {
      const to = replaces === 'unknown' ? replaces : replaces?.callId;
      events.push(to === undefined ? `transfer ${dialled}` : `transfer to ${to}`);
      answer(transfer);
    },
    ended: ({ by, outcome }) => void events.push(`ended by ${by}: ${outcome}`),
  };
}

export const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

// One call of a softphone: a session and a stream, with the features of a simple telephone.
import type { MediaEngine, Stream, StreamSettings, StreamStatistics } from '../../media/media.ts';
import type { Negotiation } from '../../media/sdp/negotiation.ts';
import { sdpOf } from '../../sip/dialogs/body.ts';
import type { IncomingSession, OutgoingSession, SessionEnd, SessionEvents } from '../../sip/session.ts';
import { reasonHeader } from '../builtin/legs/causes.ts';
import { keyOfInfo } from '../builtin/legs/info-keys.ts';
import { reanswer } from '../builtin/legs/session-capabilities.ts';
import type { KeySource } from '../telephony.ts';
import { loadTone, SILENCE } from './softphone-sounds.ts';

export interface SoftphoneEnd extends SessionEnd {
  readonly answered: boolean;
}

/** Times are those of performance.now(), when it happened. */
export interface SoftphoneEvents {
  /** A SIP message of the peer: `180 Ringing`, `BYE`. */
  signalled(text: string): void;
  answered(): void;
  /** 20 ms of µ-law. */
  heard(audio: Buffer): void;
  keyPressed(key: string, source: KeySource): void;
  /** What `say` began has been sent to its end. */
  said?(): void;
  oneWay(): void;
  /** Called once, last. */
  ended(end: SoftphoneEnd, statistics: StreamStatistics): void;
}

/** The playback of `say`. */
const SPEECH = 2;

export class SoftphoneCall {
  readonly #engine: MediaEngine;
  readonly #gone: () => void;
  #events: SoftphoneEvents | null;
  #stream: Stream | null = null;
  #negotiation: Negotiation | null = null;
  #session: OutgoingSession | IncomingSession | null = null;
  #incoming: IncomingSession | null = null;
  #agreed: StreamSettings | null = null;
  #answered = false;
  #isConfirmed = false;
  #isSpeaking = false;
  #isOver = false;

  constructor(engine: MediaEngine, events: SoftphoneEvents | null, gone: () => void) {
    this.#engine = engine;
    this.#events = events;
    this.#gone = gone;
  }

  /** The RTP port; null: none is free. */
  open(): number | null {
    const stream = this.#engine.open({
      keyPressed: (key, source) => this.#events?.keyPressed(key, source),
      played: (playback) => {
        if (playback !== SPEECH) return;
        this.playTone(null);
        this.#events?.said?.();
      },
      silent: () => undefined,
      oneWay: () => this.#events?.oneWay(),
      failed: () => this.hangUp(41),
    });
    this.#stream = stream;
    stream?.tap((audio) => this.#events?.heard(audio));
    return stream?.port ?? null;
  }

  negotiate(negotiation: Negotiation): void {
    this.#negotiation = negotiation;
  }

  listen(events: SoftphoneEvents): void {
    this.#events = events;
  }

  offer(): Buffer | null {
    return this.#negotiation?.offer() ?? null;
  }

  placed(session: OutgoingSession): void {
    this.#session = session;
  }

  called(session: IncomingSession): void {
    this.#session = session;
    this.#incoming = session;
    session.listen(this.sessionEvents());
    session.progress(180);
  }

  /** Incoming calls. */
  answer(): void {
    const session = this.#incoming;
    const negotiation = this.#negotiation;
    if (!session || !negotiation || this.#answered || this.#isOver) return;
    const offer = sdpOf(session.invite);
    const answer = offer === null ? { sdp: negotiation.offer(), settings: null } : negotiation.answer(offer);
    if ('refuse' in answer) {
      session.reject(answer.refuse);
      return;
    }
    this.#agreed = answer.settings;
    this.#answered = true;
    session.answer(answer.sdp);
  }

  /** From now on; null is silence. */
  playTone(hz: number | null): void {
    this.#isSpeaking = true;
    const id = hz === null ? SILENCE : loadTone(this.#engine, hz);
    this.#stream?.play(1, { kind: 'sound', id }, true);
  }

  /** µ-law, once; then silence. */
  say(ulaw: Buffer): void {
    this.#isSpeaking = true;
    this.#engine.loadSound('said', ulaw);
    this.#stream?.play(SPEECH, { kind: 'sound', id: 'said' });
  }

  sendKeys(keys: string): void {
    this.#stream?.sendKeys(keys);
  }

  /** In any state. */
  hangUp(cause = 16): void {
    if (this.#isOver) return;
    if (this.#incoming && !this.#answered) this.#incoming.reject(486);
    else this.#session?.hangUp(reasonHeader(cause));
  }

  signalled(text: string): void {
    if (!this.#isOver) this.#events?.signalled(text);
  }

  sessionEvents(): SessionEvents {
    return {
      progressed: (_status, sdp) => {
        if (sdp) this.#accept(sdp);
      },
      answered: (sdp) => {
        this.#answered = true;
        if (sdp && this.#accept(sdp)) this.#events?.answered();
        else this.hangUp(88);
      },
      confirmed: (sdp) => {
        if (sdp) this.#accept(sdp);
        else if (this.#agreed) this.#configure(this.#agreed);
        if (!this.#isConfirmed) this.#events?.answered();
        this.#isConfirmed = true;
      },
      offered: (offer, answer) => {
        const agreed = reanswer(this.#negotiation, offer, answer);
        if (agreed) this.#configure(agreed);
      },
      informed: (contentType, body) => {
        const key = keyOfInfo(contentType, body);
        if (key !== null) this.#events?.keyPressed(key, 'info');
      },
      referred: (_to, _replaces, accept) => accept(603),
      ended: (end) => this.#finish(end),
    };
  }

  #accept(sdp: Buffer): boolean {
    const settings = this.#negotiation?.accept(sdp);
    if (!settings || 'fault' in settings) return false;
    this.#configure(settings);
    return true;
  }

  #configure(settings: StreamSettings): void {
    this.#agreed = settings;
    this.#stream?.configure(settings);
    if (!this.#isSpeaking) this.playTone(null);
  }

  #finish(end: SessionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gone();
    const events = this.#events;
    void this.#stream
      ?.close()
      .then((statistics) => events?.ended({ ...end, answered: this.#answered }, statistics));
  }
}

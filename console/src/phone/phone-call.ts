// One call of this page. It outlives its SIP dialog: after a reload or a lost network another dialog takes the former one's place.
import { type MicrophoneFault, microphoneFaultOf, openMicrophone, stopTracks } from './devices.ts';
import type { KeptCall } from './kept-calls.ts';
import { type Level, levelOf } from './level.ts';
import { type Quality, QualityWatch } from './quality.ts';
import { addressOf, type Replaces, replacesOf, type SipCall } from './sip-agent.ts';
import { Speaker } from './speaker.ts';

export type CallPhase = 'ringing' | 'calling' | 'talking' | 'ended';

export interface CallEnd {
  readonly by: 'here' | 'there' | 'network';
  /** The status of the SIP answer that refused it. */
  readonly status: number | null;
  /** Another phone of the agent answered. */
  readonly isElsewhere: boolean;
  readonly fault: MicrophoneFault | null;
}

/** What pages show of a call. A value: it can be sent to other tabs. */
export interface CallView {
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly number: string;
  readonly name: string;
  readonly phase: CallPhase;
  /** Called from here: it rings there, and the other side sends no sound of its own before the answer. */
  readonly isRingingThere: boolean;
  readonly isHeld: boolean;
  readonly isMuted: boolean;
  /** The network is gone, and the call is being taken up again. */
  readonly isLost: boolean;
  readonly startedMs: number;
  readonly answeredMs: number | null;
  /** Keys pressed so far. */
  readonly keys: string;
  /** Null if none is under way. */
  readonly transfer: 'asked' | 'refused' | null;
  readonly end: CallEnd | null;
}

export interface CallParts {
  readonly iceServers: () => RTCIceServer[];
  readonly onChange: () => void;
  /** Its dialog ended by a lost connection: it may be taken up. */
  readonly onLost: (call: PhoneCall) => void;
}

/** The part of an event of JsSIP that is read here. */
interface EndOfCall {
  readonly originator: string;
  readonly cause: string;
  readonly message: { readonly status_code?: number; getHeader(name: string): string | undefined } | null;
}

interface Progress {
  readonly originator: string;
  readonly response?: { readonly body?: string | null };
}

type Begun = Pick<CallView, 'direction' | 'number' | 'name'> & Partial<KeptCall>;

/** From the first candidate: relays that do not answer are not waited for. */
const GATHER_MS = 1_000;
const RETRY_MS = 150;
const RETRY_FOR_MS = 4_000;
const KEY_MS = 120;
const KEY_GAP_MS = 80;
/** ICE may find another way by itself. */
const DISCONNECTED_MS = 1_500;
const CONNECTION_ERROR = 'Connection Error';
/** As JsSIP has it, in an enum that is loaded with it. */
const RFC2833 = 'RFC2833' as NonNullable<Parameters<SipCall['sendDTMF']>[1]>['transportType'] & string;

export class PhoneCall {
  readonly #parts: CallParts;
  readonly #speaker = new Speaker();
  readonly #watch = new QualityWatch();
  #view: CallView;
  #sip: SipCall | null = null;
  #microphone: MediaStream | null = null;
  #heard: MediaStream | null = null;
  #replaces: Replaces | null = null;
  /** The dialog that an offer of ours is under way in. */
  #offering: SipCall | null = null;
  #levels: { readonly said: Level; readonly heard: Level } | null = null;

  constructor(begun: Begun, parts: CallParts) {
    this.#parts = parts;
    const { direction, number, name, isHeld = false, isMuted = false } = begun;
    const { startedMs = Date.now(), answeredMs = null, id = crypto.randomUUID() } = begun;
    this.#replaces = begun.replaces ?? null;
    const isTakenUp = this.#replaces !== null;
    this.#view = {
      id,
      direction,
      number,
      name,
      phase: isTakenUp ? 'talking' : direction === 'in' ? 'ringing' : 'calling',
      isRingingThere: false,
      isHeld,
      isMuted,
      isLost: isTakenUp,
      startedMs,
      answeredMs,
      keys: '',
      transfer: null,
      end: null,
    };
  }

  get view(): CallView {
    return this.#view;
  }

  get isOver(): boolean {
    return this.#view.phase === 'ended';
  }

  /** Whether its dialog is one of the present connection. */
  get hasDialog(): boolean {
    return this.#sip !== null;
  }

  get replaces(): Replaces | null {
    return (this.#sip && replacesOf(this.#sip)) ?? this.#replaces;
  }

  /** What a reload needs to take it up; null: it cannot be. */
  get kept(): KeptCall | null {
    const { id, direction, number, name, isHeld, isMuted, startedMs, answeredMs, phase } = this.#view;
    const { replaces } = this;
    if (phase !== 'talking' || replaces === null || answeredMs === null) return null;
    return { id, replaces, direction, number, name, isHeld, isMuted, startedMs, answeredMs };
  }

  /** Null if there is none now. */
  levels(): { readonly said: number; readonly heard: number } | null {
    if (!this.#levels && this.#microphone && this.#heard)
      this.#levels = { said: levelOf(this.#microphone), heard: levelOf(this.#heard) };
    return this.#levels && { said: this.#levels.said.read(), heard: this.#levels.heard.read() };
  }

  async quality(): Promise<Quality | null> {
    const connection = this.#sip?.connection;
    return connection && this.#view.phase === 'talking' ? this.#watch.look(connection) : null;
  }

  /** Opens the microphone; false: there is none, and the call is over. */
  async openSound(): Promise<boolean> {
    try {
      this.#microphone ??= await openMicrophone();
    } catch (error) {
      this.#sip?.terminate();
      this.over({ by: 'here', status: null, isElsewhere: false, fault: microphoneFaultOf(error) });
      return false;
    }
    if (this.isOver) this.#release();
    return !this.isOver;
  }

  get options() {
    return {
      ...(this.#microphone ? { mediaStream: this.#microphone } : {}),
      mediaConstraints: { audio: true, video: false },
      pcConfig: { iceServers: this.#parts.iceServers() },
    };
  }

  /** Its dialog from now on. */
  attach(sip: SipCall): void {
    this.detach();
    this.#sip = sip;
    const mine = (act: () => void) => () => {
      if (this.#sip === sip) act();
    };
    const begun = mine(() => this.#answered());
    sip.on('progress', (event: Progress) => mine(() => this.#rings(event))());
    sip.on('accepted', begun);
    sip.on('confirmed', begun);
    sip.on('ended', (event) => mine(() => this.#ended(event))());
    sip.on('failed', (event) => mine(() => this.#ended(event))());
    // RFC 3261 §14.2: an offer that crosses ours. JsSIP 3.13 accepts it all the same, and ends the call over the answer to ours.
    sip.on('reinvite', ({ reject }) => {
      if (this.#offering === sip) reject({ status_code: 491 });
    });
    this.#gather(sip);
    if (sip.connection) this.#follow(sip, sip.connection);
    else sip.on('peerconnection', ({ peerconnection }) => this.#follow(sip, peerconnection));
  }

  /** The dialog is left to itself: its connection is gone, or another takes its place. */
  detach(): void {
    const sip = this.#sip;
    if (!sip) return;
    this.#replaces = replacesOf(sip) ?? this.#replaces;
    this.#sip = null;
    sip.connection?.close();
  }

  async answer(): Promise<void> {
    if (this.#view.phase !== 'ringing' || !(await this.openSound())) return;
    this.#sip?.answer(this.options);
  }

  decline(): void {
    if (this.#view.phase === 'ringing') this.#sip?.terminate({ status_code: 486 });
  }

  hangUp(): void {
    if (this.isOver) return;
    if (this.#sip && !this.#sip.isEnded()) this.#sip.terminate();
    if (!this.isOver) this.over({ by: 'here', status: null, isElsewhere: false, fault: null });
  }

  async hold(isHeld: boolean): Promise<void> {
    if (this.#view.phase !== 'talking' || this.#view.isHeld === isHeld) return;
    this.#change({ isHeld });
    await this.#offer((sip, done) => (isHeld ? sip.hold({}, done) : sip.unhold({}, done)));
  }

  mute(isMuted: boolean): void {
    if (this.isOver) return;
    this.#change({ isMuted });
    this.#applyMute();
  }

  /** As telephone-events (RFC 4733). */
  press(keys: string): void {
    if (this.isOver || !/^[0-9A-D*#]+$/.test(keys)) return;
    this.#change({ keys: `${this.#view.keys}${keys}`.slice(-40) });
    this.#sip?.sendDTMF(keys, { transportType: RFC2833, duration: KEY_MS, interToneGap: KEY_GAP_MS });
  }

  /** Blindly to a number; or the other side of this call to that of `consulted`, which was called from here. */
  transfer(number: string, consulted: PhoneCall | null = null): void {
    const replaces = consulted === null ? null : consulted.#sip;
    if (this.#view.phase !== 'talking' || !this.#sip || (consulted && !replaces)) return;
    this.#change({ transfer: 'asked' });
    const refused = (): void => this.#change({ transfer: 'refused' });
    this.#sip.refer(addressOf(number), {
      ...(replaces ? { replaces } : {}),
      eventHandlers: { requestFailed: refused, failed: refused },
    });
  }

  /** After the network changed: the same dialog, another way for the sound. */
  async restartIce(): Promise<void> {
    const options = { rtcOfferConstraints: { iceRestart: true } };
    await this.#offer((sip, done) => sip.renegotiate(options, done));
    this.#change({ isLost: false });
  }

  lost(): void {
    if (this.#view.phase === 'talking') this.#change({ isLost: true });
    else if (!this.isOver) this.over({ by: 'network', status: null, isElsewhere: false, fault: null });
  }

  over(end: CallEnd): void {
    if (this.isOver) return;
    this.#release();
    this.#change({ phase: 'ended', isRingingThere: false, isLost: false, end });
  }

  /** Another loudspeaker was chosen. */
  route(): void {
    this.#speaker.route();
  }

  /** Another microphone was chosen. */
  async changeMicrophone(): Promise<void> {
    const { connection } = this.#sip ?? {};
    if (!connection || this.#view.phase !== 'talking') return;
    const former = this.#microphone;
    this.#microphone = await openMicrophone();
    const [track = null] = this.#microphone.getAudioTracks();
    for (const sender of connection.getSenders()) await sender.replaceTrack(track);
    stopTracks(former);
    this.#closeLevels();
    this.#applyMute();
  }

  /** A provisional response with SDP has early media: what is heard comes from there. */
  #rings({ originator, response }: Progress): void {
    if (originator === 'remote' && this.#view.phase === 'calling')
      this.#change({ isRingingThere: !response?.body });
  }

  #answered(): void {
    const { answeredMs, isHeld, isLost } = this.#view;
    const isTakenUp = isLost && answeredMs !== null;
    this.#change({
      phase: 'talking',
      isRingingThere: false,
      isLost: false,
      answeredMs: answeredMs ?? Date.now(),
    });
    this.#applyMute();
    if (isTakenUp && isHeld) void this.#offer((sip, done) => sip.hold({}, done));
  }

  #ended({ originator, cause, message }: EndOfCall): void {
    const { phase } = this.#view;
    if (phase === 'talking' && cause === CONNECTION_ERROR) {
      this.detach();
      this.lost();
      return this.#parts.onLost(this);
    }
    const status = message?.status_code ?? null;
    const isElsewhere = /cause=200|completed elsewhere/i.test(message?.getHeader('reason') ?? '');
    const by = originator === 'local' ? 'here' : originator === 'remote' ? 'there' : 'network';
    this.over({ by: cause === CONNECTION_ERROR ? 'network' : by, status, isElsewhere, fault: null });
  }

  #gather(sip: SipCall): void {
    let isWaiting = false;
    sip.on('icecandidate', ({ ready }) => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        ready();
      }, GATHER_MS);
    });
  }

  #follow(sip: SipCall, connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ streams: [stream] }) => {
      if (!stream || this.#sip !== sip) return;
      this.#heard = stream;
      this.#closeLevels();
      this.#speaker.play(stream);
    });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'disconnected')
        setTimeout(() => {
          if (this.#sip === sip && connection.connectionState === 'disconnected') void this.restartIce();
        }, DISCONNECTED_MS);
    });
  }

  #applyMute(): void {
    const { isMuted } = this.#view;
    if (isMuted) this.#sip?.mute({ audio: true });
    else this.#sip?.unmute({ audio: true });
  }

  /** While another offer is under way, JsSIP takes none: for some hundred milliseconds (docs/browser-phones.md). */
  async #offer(send: (sip: SipCall, done: () => void) => boolean): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < RETRY_FOR_MS; waitedMs += RETRY_MS) {
      const sip = this.#sip;
      if (!sip || this.isOver) return false;
      if (this.#offering !== sip && sip.isReadyToReOffer()) {
        this.#offering = sip;
        if (send(sip, () => this.#offered(sip))) return true;
        this.#offered(sip);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return false;
  }

  #offered(sip: SipCall): void {
    if (this.#offering === sip) this.#offering = null;
  }

  #change(change: Partial<CallView>): void {
    this.#view = { ...this.#view, ...change };
    this.#parts.onChange();
  }

  #closeLevels(): void {
    this.#levels?.said.close();
    this.#levels?.heard.close();
    this.#levels = null;
  }

  #release(): void {
    this.#closeLevels();
    this.#speaker.close();
    stopTracks(this.#microphone);
    this.#microphone = null;
  }
}

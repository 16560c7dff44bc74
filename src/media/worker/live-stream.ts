// One stream inside its worker: what comes from the peer, what goes to it, and what is told about it. It has no timer of its own:
// the wheel calls `tick` every 20 ms.

import { alawToUlaw, ulawToAlaw } from '../audio/g711.ts';
import { Player, type Sound } from '../audio/player.ts';
import { DtmfDetector } from '../dtmf/dtmf-detector.ts';
import { KeySender } from '../dtmf/key-sender.ts';
import { EVENT_BYTES, EventReader, writeEvent } from '../dtmf/telephone-event.ts';
import type { StreamStatistics } from '../media.ts';
import type { Mix } from '../mixing/mix.ts';
import type { Agreed } from '../orders/agreed.ts';
import type { WorkerEvent } from '../orders/orders.ts';
import { Quality } from '../rtp/quality.ts';
import { Reception } from '../rtp/reception.ts';
import { Relay } from '../rtp/relay.ts';
import { COMFORT_NOISE, emptyHeader, HEADER_BYTES, looksLikeRtcp, readRtp, writeRtp } from '../rtp/rtp.ts';
import { Sender } from '../rtp/sender.ts';
import { SourceLock } from '../rtp/source-lock.ts';
import { type Endpoint, NOWHERE } from '../sockets/endpoint.ts';
import type { Pair } from '../sockets/port-pool.ts';
import { RtpSocket } from '../sockets/rtp-socket.ts';
import { OUTGOING, type Sockets } from '../sockets/sockets.ts';
import { SharedStream } from './shared-stream.ts';

const FRAME_SAMPLES = 160;
/** 200 ms of G.711. */
const MAX_AUDIO_BYTES = 1_600;
const CHECK_MS = 500;
/** Short calls are not worth a connection. */
const SETTLED_MS = 1_000;
/** Told within ten seconds. */
const ONE_WAY_MS = 9_000;

/** What a stream needs of its worker. */
export interface StreamContext {
  readonly sockets: Sockets;
  readonly cname: string;
  readonly rtpTimeoutMs: number;
  tell(event: WorkerEvent): void;
}

/** Shared by all streams of a thread: a packet is handled before the next one is read. */
const header = emptyHeader();

export class LiveStream extends SharedStream {
  readonly id: number;
  readonly pair: Pair;
  readonly slot: number;
  /** Something threw: nothing is done any more till it is closed. */
  isBroken = false;
  readonly #studio: StreamContext;
  readonly #sender = new Sender(Math.random);
  readonly #reception = new Reception();
  readonly #quality: Quality;
  readonly #events = new EventReader();
  readonly #keys = new KeySender();
  /** How the packets of the other side become ours. */
  readonly #relay = new Relay();
  readonly #lock: SourceLock;
  readonly #socket: RtpSocket;
  #settings: Agreed | null = null;
  #mayReceive = false;
  #maySend = false;
  #frames = 1;
  #visits = 0;
  #detector: DtmfDetector | null = null;
  #player: Player | null = null;
  #other: LiveStream | null = null;
  /** The last packet was followed by no pause: the next one needs no marker. */
  #isTalking = false;
  #eventTimestamp = 0;
  #configuredMs = 0;
  #heardMs = 0;
  #aliveMs = 0;
  #checkMs = 0;
  #toldSilent = false;
  #oneWay = false;

  constructor(id: number, pair: Pair, slot: number, studio: StreamContext, nowMs: number) {
    super();
    this.id = id;
    this.pair = pair;
    this.slot = slot;
    this.#studio = studio;
    this.#lock = new SourceLock(NOWHERE, nowMs);
    this.#socket = new RtpSocket(studio.sockets, pair.rtp);
    this.#quality = new Quality(studio.cname, nowMs);
  }

  configure(settings: Agreed, nowMs: number): void {
    this.#settings = settings;
    const { direction } = settings;
    this.#lock.resignal(settings.remote, nowMs, settings.signalling);
    if (!this.#lock.isLocked) this.#socket.disconnect();
    this.#mayReceive = direction === 'sendrecv' || direction === 'recvonly';
    this.#frames = settings.frames;
    this.#maySend = direction === 'sendrecv' || direction === 'sendonly';
    this.#detector =
      settings.eventPayloadType === null
        ? (this.#detector ?? new DtmfDetector((key) => this.#studio.tell(['key', this.id, key, 'in-band'])))
        : null;
    this.#configuredMs = nowMs;
    this.#checkMs = Math.min(this.#checkMs, nowMs + CHECK_MS);
    if (!this.#maySend) this.#isTalking = false;
  }

  play(playback: number, sound: Sound, loop: boolean): void {
    this.#player = new Player(playback, sound, loop);
    this.#isTalking = false;
  }

  stop(): void {
    this.#player = null;
    this.#isTalking = false;
  }

  bridge(other: LiveStream): void {
    this.unbridge();
    other.unbridge();
    this.#join(other);
    other.#join(this);
  }

  unbridge(): void {
    const other = this.#other;
    this.#other = null;
    if (!other) return;
    other.#other = null;
    this.unhear(other);
    other.unhear(this);
  }

  sendKeys(keys: string): void {
    this.#keys.add(keys);
  }

  tap(on: boolean): void {
    this.tapTo(on ? (audio) => this.#studio.tell(['heard', this.id, audio]) : null);
  }

  get partner(): LiveStream | null {
    return this.#other;
  }

  /** Says goodbye to the peer. */
  close(nowMs: number): StreamStatistics {
    this.leave();
    this.unbridge();
    this.#socket.release();
    if (this.#sender.packets > 0 || this.#reception.received > 0) this.#report(nowMs, true);
    return {
      packetsSent: this.#sender.packets,
      packetsReceived: this.#reception.received,
      packetsLost: this.#reception.lost,
      jitterMs: this.#reception.jitterMs,
      remoteLost: this.#quality.remoteLost,
      remoteJitterMs: this.#quality.remoteJitterMs,
      roundTripMs: this.#quality.roundTripMs,
      strangers: this.#lock.strangers,
      oneWay: this.#oneWay,
    };
  }

  tick(nowMs: number): void {
    const settings = this.#settings;
    if (!settings) return;
    this.#socket.visit(nowMs, this.audience !== null);
    if (this.#keys.isActive) this.#sendKey(settings, nowMs);
    else if (this.#player) this.#playOn(this.#player, settings, nowMs);
    else if (this.mix) this.#speakMixed(this.mix, settings, nowMs);
    if (this.recording?.turn(nowMs) === false) this.recording = null;
    if (nowMs >= this.#checkMs) this.#check(nowMs);
  }

  receive(offset: number, length: number, from: Endpoint, nowMs: number): void {
    const settings = this.#settings;
    if (!settings || !this.#mayReceive) return;
    const { memory } = this.#studio.sockets;
    if (looksLikeRtcp(memory, offset, length)) {
      this.receiveReport(offset, length, from, nowMs);
      return;
    }
    if (!readRtp(memory, offset, length, header)) return;
    const { payloadType, sequence, timestamp, ssrc, payloadAt, payloadLength } = header;
    const isAudio = payloadType === settings.payloadType;
    const isEvent = payloadType === settings.eventPayloadType;
    if (!isAudio && !isEvent && payloadType !== COMFORT_NOISE) return;
    if (payloadLength > MAX_AUDIO_BYTES || (isAudio && payloadLength === 0)) return;
    if (!this.#lock.accepts(from, ssrc, sequence, nowMs)) return;
    this.#heardMs = nowMs;
    this.#aliveMs = nowMs;
    this.#reception.note(ssrc, sequence, timestamp, nowMs, isAudio);
    let key: string | null = null;
    if (isEvent) {
      key = this.#events.read(memory, payloadAt, payloadLength, timestamp, ssrc);
      if (key !== null) this.#studio.tell(['key', this.id, key, 'rfc4733']);
    }
    if (isAudio) this.#detector?.push(memory, settings.codec, payloadAt, payloadAt + payloadLength);
    if (this.audience) {
      if (isAudio) this.audience.push(memory, payloadAt, payloadLength, sequence, settings.codec);
      else this.audience.pass(sequence);
    }
    if (this.#other) this.#other.#passOn(settings, isAudio, isEvent, key, nowMs);
  }

  receiveReport(offset: number, length: number, from: Endpoint, nowMs: number): void {
    if (!this.#settings || !this.#lock.acceptsReport(from)) return;
    const { memory } = this.#studio.sockets;
    if (!this.#quality.read(memory, offset, length, this.#sender.ssrc, nowMs)) return;
    this.#aliveMs = nowMs;
    // Symmetric RTCP (RFC 4961) is for peers behind NAT: whoever sends from where it said is answered where it said.
    this.#quality.source = this.#lock.isLocked ? null : { ...from };
  }

  /** Packets of the peer so far. */
  get received(): number {
    return this.#reception.received;
  }

  protected override interrupted(): void {
    this.#isTalking = false;
  }

  get #canSend(): boolean {
    return this.#maySend && this.#lock.isReachable;
  }

  #join(other: LiveStream): void {
    this.stop();
    this.#other = other;
    this.#socket.listen(true);
    this.#relay.interrupt();
  }

  /** `header` is of a packet that the other side received. */
  #passOn(theirs: Agreed, isAudio: boolean, isEvent: boolean, key: string | null, nowMs: number): void {
    const settings = this.#settings;
    if (!settings) return;
    const isMixed = this.mix !== null;
    if (key !== null && (isMixed || settings.eventPayloadType === null)) this.#keys.add(key);
    const cannotSpeak = !this.#canSend || this.#keys.isActive || this.#player !== null || isMixed;
    if (cannotSpeak || (isEvent && settings.eventPayloadType === null)) {
      this.#relay.interrupt();
      return;
    }
    if (!isAudio && !isEvent) {
      this.#relay.skip(header);
      return;
    }
    if (!this.#relay.admit(header, this.#sender, nowMs)) return;
    const { memory } = this.#studio.sockets;
    if (isAudio && theirs.codec !== settings.codec) {
      const table = theirs.codec === 'pcmu' ? ulawToAlaw : alawToUlaw;
      const end = header.payloadAt + header.payloadLength;
      for (let at = header.payloadAt; at < end; at++) memory[at] = table[memory[at] ?? 0] ?? 0;
    }
    const payloadType = isAudio ? settings.payloadType : (settings.eventPayloadType ?? 0);
    this.#isTalking = false;
    this.#send(
      header.payloadAt - HEADER_BYTES,
      this.#relay.marker,
      payloadType,
      this.#relay.sequence,
      this.#relay.timestamp,
      header.payloadLength,
      isAudio ? header.payloadLength : 0,
      nowMs,
    );
  }

  #playOn(player: Player, settings: Agreed, nowMs: number): void {
    if (this.#frames > 1 && this.#visits++ % this.#frames !== 0) return;
    const samples = FRAME_SAMPLES * this.#frames;
    // On hold the sound runs on unheard, so that whoever waits for its end is told.
    player.write(this.#studio.sockets.memory, OUTGOING + HEADER_BYTES, samples, settings.codec);
    if (this.#canSend) this.#speak(settings.payloadType, samples, nowMs);
    if (!player.hasEnded) return;
    this.stop();
    this.#studio.tell(['played', this.id, player.playback]);
  }

  #speakMixed(mix: Mix, settings: Agreed, nowMs: number): void {
    if (this.#frames > 1 && this.#visits++ % this.#frames !== 0) return;
    const samples = FRAME_SAMPLES * this.#frames;
    mix.write(this.#studio.sockets.memory, OUTGOING + HEADER_BYTES, samples, settings.codec);
    if (this.#canSend) this.#speak(settings.payloadType, samples, nowMs);
  }

  #sendKey(settings: Agreed, nowMs: number): void {
    if (!this.#canSend) {
      this.#keys.clear();
      return;
    }
    const { memory } = this.#studio.sockets;
    const at = OUTGOING + HEADER_BYTES;
    if (settings.eventPayloadType === null) {
      const tone = this.#keys.nextTone();
      for (let index = 0; index < FRAME_SAMPLES; index++) {
        const sample = tone[index] ?? 0xff;
        memory[at + index] = settings.codec === 'pcmu' ? sample : (ulawToAlaw[sample] ?? 0);
      }
      this.#speak(settings.payloadType, FRAME_SAMPLES, nowMs);
      if (!this.#keys.isActive) this.#isTalking = false;
      return;
    }
    this.#isTalking = false;
    const step = this.#keys.nextEvent();
    if (!step) return;
    if (step.isFirst) this.#eventTimestamp = this.#sender.timestampAt(nowMs);
    writeEvent(memory, at, step.event, step.isEnd, step.duration);
    // RFC 4733 §2.5.1.2: every packet of a press carries the time at which it began.
    this.#send(
      OUTGOING,
      step.isFirst,
      settings.eventPayloadType,
      this.#sender.nextSequence,
      this.#eventTimestamp,
      EVENT_BYTES,
      0,
      nowMs,
    );
  }

  /** Audio that stands in OUTGOING. */
  #speak(payloadType: number, samples: number, nowMs: number): void {
    const sender = this.#sender;
    const timestamp = this.#isTalking ? sender.nextTimestamp : sender.timestampAt(nowMs);
    this.#send(
      OUTGOING,
      !this.#isTalking,
      payloadType,
      sender.nextSequence,
      timestamp,
      samples,
      samples,
      nowMs,
    );
    this.#isTalking = true;
  }

  #send(
    at: number,
    marker: boolean,
    payloadType: number,
    sequence: number,
    timestamp: number,
    payloadLength: number,
    samples: number,
    nowMs: number,
  ): void {
    const { sockets } = this.#studio;
    writeRtp(sockets.memory, at, marker, payloadType, sequence, timestamp, this.#sender.ssrc);
    sockets.send(this.pair.rtp, at, HEADER_BYTES + payloadLength, this.#lock.peer);
    this.#sender.note(sequence, timestamp, samples, payloadLength, nowMs);
  }

  #check(nowMs: number): void {
    this.#checkMs = nowMs + CHECK_MS;
    // A peer that sends from where it said has its place for good: the kernel may know it.
    if (this.#lock.isLocked && nowMs - this.#configuredMs > SETTLED_MS) this.#socket.connect(this.#lock.peer);
    // Nobody waits for the packets of one who listens to a prompt; what a bridge passes on is waited for.
    this.#socket.listen(this.#other !== null || !this.#studio.sockets.isBusy);
    if (this.#quality.isDue(nowMs)) this.#report(nowMs, false);
    if (!this.#mayReceive) return;
    const aliveMs = Math.max(this.#aliveMs, this.#configuredMs);
    // A peer that holds us (its sendonly) may play music or nothing at all; the session timer finds out whether it lives.
    if (this.#maySend && !this.#toldSilent && nowMs - aliveMs >= this.#studio.rtpTimeoutMs) {
      this.#toldSilent = true;
      this.#studio.tell(['silent', this.id]);
    }
    if (this.#oneWay || !this.#maySend || this.#sender.packets === 0) return;
    const sinceMs = Math.max(this.#heardMs, this.#configuredMs, this.#sender.firstSentMs);
    if (nowMs - sinceMs < ONE_WAY_MS) return;
    this.#oneWay = true;
    this.#studio.tell(['one-way', this.id]);
  }

  #report(nowMs: number, isGoodbye: boolean): void {
    const settings = this.#settings;
    if (!settings || !this.#lock.isReachable) return;
    const { sockets } = this.#studio;
    const { peer } = this.#lock;
    const isMoved = peer.port !== settings.remote.port;
    const port = isMoved ? (peer.port + 1) & 0xffff : settings.remoteRtcpPort;
    if (port === 0) return;
    const length = this.#quality.write(
      sockets.memory,
      OUTGOING,
      this.#sender,
      this.#reception,
      nowMs,
      isGoodbye,
    );
    sockets.send(this.pair.rtcp, OUTGOING, length, this.#quality.source ?? { ...peer, port });
  }
}

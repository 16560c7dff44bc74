// One stream inside its worker: what arrives from the peer, and what is reported of it; stream-output.ts is what it sends. It has no
// timer: the wheel calls `tick` every 20 ms.
import { BotSide } from '../bots/bot-side.ts';
import { type Codec, codecNamed, type EncodedAudio, PCMU, transcode } from '../codec.ts';
import type { Agreed } from '../commands/agreed.ts';
import { DtmfDetector } from '../dtmf/dtmf-detector.ts';
import { EventReader } from '../dtmf/telephone-event.ts';
import type { StreamStatistics } from '../media.ts';
import type { MixedFrame } from '../mixing/conference.ts';
import type { JitterBuffer } from '../mixing/jitter-buffer.ts';
import type { Participant } from '../mixing/listening-in.ts';
import { Quality } from '../rtp/quality.ts';
import { Reception } from '../rtp/reception.ts';
import { COMFORT_NOISE, emptyHeader, looksLikeRtcp, readRtp } from '../rtp/rtp.ts';
import { SourceLock } from '../rtp/source-lock.ts';
import { type Endpoint, formatAddress, NOWHERE } from '../sockets/endpoint.ts';
import type { Pair } from '../sockets/port-pool.ts';
import { RtpSocket } from '../sockets/rtp-socket.ts';
import { OUTGOING } from '../sockets/sockets.ts';
import { REFUSED } from '../srtp/srtp.ts';
import {
  BUFFER_ABOVE_MS,
  BufferedRelay,
  PlayoutFigures,
  type RelayPacket,
  UNEVEN_CHECKS,
} from './buffered-relay.ts';
import { Liveness } from './liveness.ts';
import { SharedStream } from './shared-stream.ts';
import type { StreamContext } from './stream-context.ts';
import { StreamOutput } from './stream-output.ts';
import { StreamSecurity } from './stream-security.ts';

/** 200 ms of G.711. */
const MAX_AUDIO_BYTES = 10 * PCMU.frameBytes;
const CHECK_MS = 500;
/** A connected socket is not worth its cost in a short call. */
const SETTLED_MS = 1_000;

/** Shared by all streams of a thread: a packet is handled before the next one is read. */
const header = emptyHeader();

export class LiveStream extends SharedStream {
  readonly id: number;
  readonly pair: Pair;
  readonly slot: number;
  /** It has thrown an error: nothing is done until it is closed. */
  isBroken = false;
  /** Leaves the conference of this worker that it takes part in; null: none. */
  seat: (() => void) | null = null;
  readonly #context: StreamContext;
  readonly #lock: SourceLock;
  readonly #output: StreamOutput;
  readonly #socket: RtpSocket;
  readonly #reception = new Reception();
  readonly #quality: Quality;
  readonly #events = new EventReader();
  readonly #liveness = new Liveness();
  #settings: Agreed | null = null;
  #codec: Codec = PCMU;
  #mayReceive = false;
  /** Null if plain RTP. */
  #security: StreamSecurity | null = null;
  #detector: DtmfDetector | null = null;
  #other: LiveStream | null = null;
  #bot: BotSide | null = null;
  #checkMs = 0;
  /** Packets from elsewhere before the last check. */
  #strangersBefore = 0;
  /** Smooths what it relays; null: packets are relayed as they come. */
  #buffered: BufferedRelay | null = null;
  #unevenChecks = 0;
  readonly #playedOut = new PlayoutFigures();

  constructor(id: number, pair: Pair, slot: number, context: StreamContext, nowMs: number) {
    super();
    this.id = id;
    this.pair = pair;
    this.slot = slot;
    this.#context = context;
    this.#lock = new SourceLock(NOWHERE, nowMs);
    this.#output = new StreamOutput(id, pair.rtp, context, this.#lock);
    this.#socket = new RtpSocket(context.sockets, pair.rtp);
    this.#quality = new Quality(context.cname, nowMs);
  }

  configure(settings: Agreed, nowMs: number): void {
    this.#settings = settings;
    this.#use(codecNamed(settings.codec));
    this.#lock.resignal(settings.remote, nowMs, settings.signalling, settings.early !== 'unverified');
    if (!this.#lock.isLocked) this.#socket.disconnect();
    this.#mayReceive = settings.direction === 'sendrecv' || settings.direction === 'recvonly';
    this.#security = StreamSecurity.next(this.#security, settings.srtp);
    this.#output.configure(settings, this.#codec, this.#security);
    this.#detector =
      settings.eventPayloadType === null
        ? (this.#detector ?? new DtmfDetector((key) => this.#context.emit(['key', this.id, key, 'in-band'])))
        : null;
    this.#liveness.configured(nowMs);
    this.#checkMs = Math.min(this.#checkMs, nowMs + CHECK_MS);
  }

  #use(codec: Codec): void {
    if (codec.clockRateHz !== this.#codec.clockRateHz) this.#endBuffering(null);
    this.#codec = codec;
    this.#reception.clockedBy(codec.clockRateHz / 1_000);
  }

  play(playback: number, audio: EncodedAudio, loop: boolean, yields = false): void {
    this.#output.play(playback, audio, loop, yields);
  }

  stop(): void {
    this.#output.stop();
  }

  playBackground(audio: EncodedAudio | null): void {
    this.#output.playBackground(audio);
  }

  sendKeys(keys: string): void {
    this.#output.sendKeys(keys);
  }

  bridge(other: LiveStream): void {
    this.unbridge();
    other.unbridge();
    this.unlinkBot();
    other.unlinkBot();
    this.#join(other);
    other.#join(this);
    this.#context.bridges += 1;
  }

  unbridge(): void {
    const other = this.#other;
    this.#other = null;
    if (!other) return;
    this.#context.bridges -= 1;
    other.#other = null;
    this.#endBuffering(null);
    other.#endBuffering(null);
    this.removeSource(other);
    other.removeSource(this);
  }

  enterConference(buffer: JitterBuffer, leave: () => void): void {
    this.seat?.();
    this.unbridge();
    this.unlinkBot();
    this.seat = leave;
    this.#output.stop();
    this.attach(buffer);
  }

  leaveConference(buffer: JitterBuffer): void {
    this.seat = null;
    this.detach(buffer);
    this.#playedOut.add(buffer);
    this.#output.interrupt();
  }

  /** 20 ms of its conference. */
  hear(frame: MixedFrame, nowMs: number): void {
    if (this.#settings && !this.isBroken) this.#output.sendFrame(frame.as(this.#codec), nowMs);
  }

  /** The same as µ-law; the frame is changed. */
  hearUlaw(frame: Uint8Array, nowMs: number): void {
    if (!this.#settings || this.isBroken) return;
    transcode(frame, 0, frame.length, PCMU, this.#codec);
    this.#output.sendFrame(frame, nowMs);
  }

  tap(on: boolean): void {
    this.tapTo(on ? (audio) => this.#context.emit(['heard', this.id, audio]) : null);
  }

  get partner(): Participant | null {
    return this.#other ?? this.#bot;
  }

  /** In place of a bridge: a voice bot at the other end of the ring. */
  linkBot(ring: SharedArrayBuffer, nowMs: number): void {
    this.unbridge();
    this.unlinkBot();
    this.#output.stop();
    this.#bot = new BotSide(this, ring, nowMs);
  }

  unlinkBot(): void {
    const bot = this.#bot;
    this.#bot = null;
    if (!bot) return;
    bot.end();
    this.removeSource(bot);
    this.#output.interrupt();
  }

  get bot(): BotSide | null {
    return this.#bot;
  }

  get hearsMix(): boolean {
    return this.mix !== null;
  }

  /** Sends an RTCP BYE. */
  close(nowMs: number): StreamStatistics {
    const { sender } = this.#output;
    this.leave();
    this.unbridge();
    this.unlinkBot();
    this.#socket.release();
    if (sender.packets > 0 || this.#reception.received > 0) this.#report(nowMs, true);
    return {
      packetsSent: sender.packets,
      packetsReceived: this.#reception.received,
      packetsLost: this.#reception.lost,
      jitterMs: this.#reception.jitterMs,
      bufferMs: this.#playedOut.meanMs,
      packetsLate: this.#playedOut.late,
      remoteLost: this.#quality.remoteLost,
      remoteJitterMs: this.#quality.remoteJitterMs,
      roundTripMs: this.#quality.roundTripMs,
      strangers: this.#lock.strangers,
      oneWay: this.#liveness.isOneWay,
    };
  }

  tick(nowMs: number): void {
    if (!this.#settings) return;
    this.#socket.tick(nowMs, this.fanout !== null);
    this.#bot?.tick(nowMs);
    const isFed = this.seat !== null || this.#bot !== null;
    this.#output.tick(this.mix, this.#other, isFed, nowMs);
    if (this.recording?.tick(nowMs) === false) this.recording = null;
    if (nowMs >= this.#checkMs) this.#check(nowMs);
  }

  receive(offset: number, length: number, from: Endpoint, nowMs: number): void {
    const settings = this.#settings;
    if (!settings || !this.#mayReceive) return;
    const { memory } = this.#context.sockets;
    if (looksLikeRtcp(memory, offset, length)) {
      this.receiveReport(offset, length, from, nowMs);
      return;
    }
    const plain = this.#security ? this.#security.unprotect(memory, offset, length) : length;
    if (plain === REFUSED || !readRtp(memory, offset, plain, header)) return;
    const { payloadType, sequence, timestamp, ssrc, payloadAt, payloadLength } = header;
    const isAudio = payloadType === settings.payloadType;
    const isEvent = payloadType === settings.eventPayloadType;
    if (!isAudio && !isEvent && payloadType !== COMFORT_NOISE) return;
    if (payloadLength > MAX_AUDIO_BYTES || (isAudio && payloadLength === 0)) return;
    if (!this.#lock.accepts(from, ssrc, sequence, nowMs)) return;
    this.#liveness.noteAudio(nowMs);
    this.#reception.note(ssrc, sequence, timestamp, nowMs, isAudio);
    let key: string | null = null;
    if (isEvent) {
      key = this.#events.read(memory, payloadAt, payloadLength, timestamp, ssrc, sequence, nowMs);
      if (key !== null) this.#context.emit(['key', this.id, key, 'rfc4733']);
    }
    if (isAudio) this.#detector?.push(memory, this.#codec, payloadAt, payloadAt + payloadLength);
    if (this.fanout) {
      if (isAudio && !this.#codec.isPassedThrough)
        this.fanout.push(memory, payloadAt, payloadLength, sequence, this.#codec);
      else this.fanout.skip(sequence);
    }
    const other = this.#other;
    if (!other || other.#settings === null) return;
    if (this.#buffered === null)
      other.#output.relay(header, this.#codec, isAudio, isEvent, key, other.mix !== null, nowMs);
    else this.#buffered.push(header, this.#codec, isAudio, isEvent, key, nowMs);
  }

  receiveReport(offset: number, length: number, from: Endpoint, nowMs: number): void {
    if (!this.#settings || !this.#lock.acceptsReport(from)) return;
    const { memory } = this.#context.sockets;
    const plain = this.#security ? this.#security.unprotectReport(memory, offset, length) : length;
    if (plain === REFUSED) return;
    if (!this.#quality.read(memory, offset, plain, this.#output.sender, nowMs)) return;
    this.#liveness.noteReport(nowMs);
    // A peer that only listens sends reports alone.
    this.#lock.prove();
    // Symmetric RTCP (RFC 4961) is for peers behind NAT: one that sends from its signalled address is answered there.
    this.#quality.source = this.#lock.isLocked ? null : { ...from };
  }

  get received(): number {
    return this.#reception.received;
  }

  protected override interrupted(): void {
    this.#output.interrupt();
  }

  #join(other: LiveStream): void {
    this.#output.beginRelay();
    this.#other = other;
    this.#socket.listen(true);
  }

  #check(nowMs: number): void {
    const { sockets, rtpTimeoutMs } = this.#context;
    const liveness = this.#liveness;
    this.#checkMs = nowMs + CHECK_MS;
    // A peer that sends from its signalled address stays there: the kernel may filter for it, until it is silent and may have moved.
    if (this.#lock.isLocked && nowMs - liveness.configuredMs > SETTLED_MS) {
      if (this.#lock.mayHaveMoved(nowMs)) this.#socket.disconnect();
      else this.#socket.connect(this.#lock.peer);
    }
    const { strangers, stranger } = this.#lock;
    const isElsewhere = strangers > this.#strangersBefore;
    this.#strangersBefore = strangers;
    // During a prompt received packets can wait for the next tick; packets of a bridge cannot.
    this.#socket.listen(this.#other !== null || !sockets.isBusy);
    if (this.#quality.isDue(nowMs)) this.#report(nowMs, false);
    if (this.#other) this.#adapt(this.#other, nowMs);
    // A peer that holds us (its sendonly) may send music or nothing; the session timer finds out whether it is alive.
    if (!this.#mayReceive || !this.#output.maySend || this.#settings?.early !== null) return;
    if (liveness.becomesSilent(nowMs, rtpTimeoutMs)) this.#context.emit(['silent', this.id]);
    const { soundedMs } = this.#output;
    if (soundedMs !== null && liveness.becomesOneWay(nowMs, soundedMs)) {
      const from = isElsewhere ? `${formatAddress(stranger)}:${stranger.port}` : null;
      this.#context.emit(['one-way', this.id, from]);
    }
  }

  /** Buffers what is relayed while it arrives unevenly, and only then. */
  #adapt(other: LiveStream, nowMs: number): void {
    // A buffer of ours counts by the clock of our codecs; browsers, which have Opus, have one that is better.
    if (this.#codec.clockRateHz !== PCMU.clockRateHz) return;
    const { jitterMs } = this.#reception;
    // A worker that is late itself would buffer everything at once, and be later for it.
    const networkMs = jitterMs - this.#context.lateness.jitterMs(nowMs);
    if (this.#buffered) {
      if (this.#buffered.isCalm(networkMs, nowMs)) this.#endBuffering(nowMs);
      return;
    }
    this.#unevenChecks = networkMs > BUFFER_ABOVE_MS ? this.#unevenChecks + 1 : 0;
    if (this.#unevenChecks < UNEVEN_CHECKS) return;
    const relay: RelayPacket = (packet, codec, isAudio, isEvent, key, atMs) =>
      other.#output.relay(packet, codec, isAudio, isEvent, key, other.mix !== null, atMs);
    this.#buffered = new BufferedRelay(this.id, this.#context, jitterMs, relay, nowMs);
  }

  /** Null if the bridge is over, and what still waits is not sent on. */
  #endBuffering(nowMs: number | null): void {
    const buffered = this.#buffered;
    if (!buffered) return;
    this.#buffered = null;
    if (nowMs === null) buffered.end();
    else buffered.flush(nowMs);
    this.#playedOut.add(buffered.buffer);
  }

  #report(nowMs: number, isGoodbye: boolean): void {
    const settings = this.#settings;
    if (!settings || !this.#lock.isReachable) return;
    if (settings.early === 'unverified' && this.#lock.allowance === 0) return;
    const { sockets } = this.#context;
    const { peer } = this.#lock;
    const isMoved = peer.port !== settings.remote.port;
    const port = isMoved ? (peer.port + 1) & 0xffff : settings.remoteRtcpPort;
    if (port === 0) return;
    const { sender } = this.#output;
    const written = this.#quality.write(sockets.memory, OUTGOING, sender, this.#reception, nowMs, isGoodbye);
    const length = this.#security?.protectReport(sockets.memory, OUTGOING, written) ?? written;
    if (length === REFUSED) return;
    sockets.send(this.pair.rtcp, OUTGOING, length, this.#quality.source ?? { ...peer, port });
  }
}

// What one stream sends: keys, prompts, a mix or the packets of its bridge, always as one RTP source. The stream calls `tick` every
// 20 ms; packets of the bridge are relayed as they arrive.
import { Player } from '../audio/player.ts';
import { type Codec, type EncodedAudio, PCMU, transcode } from '../codec.ts';
import type { Agreed } from '../commands/agreed.ts';
import { KeySender } from '../dtmf/key-sender.ts';
import { EVENT_BYTES, writeEvent } from '../dtmf/telephone-event.ts';
import type { AudioSource } from '../mixing/audio-fanout.ts';
import type { Mix } from '../mixing/mix.ts';
import { Relay } from '../rtp/relay.ts';
import { HEADER_BYTES, type RtpHeader, writeRtp } from '../rtp/rtp.ts';
import { Sender } from '../rtp/sender.ts';
import type { SourceLock } from '../rtp/source-lock.ts';
import { OUTGOING } from '../sockets/sockets.ts';
import { REFUSED } from '../srtp/srtp.ts';
import type { StreamContext } from './stream-context.ts';
import type { StreamSecurity } from './stream-security.ts';

const PAYLOAD = OUTGOING + HEADER_BYTES;
const NOTHING = new Uint8Array(0);
/** A background has no end that is reported. */
const NO_PLAYBACK = 0;
/** Until silence is sent. What plays next is on its way from the main thread; the other side of a bridge may be late by its network. */
const PAUSE_MS = 200;
const BRIDGE_PAUSE_MS = 1_000;

export class StreamOutput {
  readonly sender = new Sender(Math.random);
  /** When the first packet was sent that was no silence of ours; null: none. */
  soundedMs: number | null = null;
  readonly #id: number;
  readonly #socket: number;
  readonly #context: StreamContext;
  readonly #lock: SourceLock;
  readonly #keys = new KeySender();
  /** Numbers the packets of the bridge. */
  readonly #relay = new Relay();
  #codec: Codec = PCMU;
  #payloadType = 0;
  #eventPayloadType: number | null = null;
  #frames = 1;
  /** The size of one packet of audio. */
  #payloadBytes = PCMU.frameBytes;
  #samples = PCMU.frameSamples;
  #ticks = 0;
  #gathered: Uint8Array = NOTHING;
  #maySend = false;
  /** Not answered yet: silence is no fault. */
  #isEarly = true;
  /** When something that is no silence was last sent; null: an answer or a bridge has just begun. */
  #filledMs: number | null = null;
  #security: StreamSecurity | null = null;
  #player: Player | null = null;
  /** What the stream hears while the other side of its bridge holds. */
  #background: Player | null = null;
  /** The player is ringback for a caller who hears the called side as soon as it sends (early media). */
  #yields = false;
  /** No pause since the last packet: the next one needs no marker. */
  #isTalking = false;
  #eventTimestamp = 0;

  constructor(id: number, socket: number, context: StreamContext, lock: SourceLock) {
    this.#id = id;
    this.#socket = socket;
    this.#context = context;
    this.#lock = lock;
  }

  get maySend(): boolean {
    return this.#maySend;
  }

  configure(settings: Agreed, codec: Codec, security: StreamSecurity | null = null): void {
    const { direction } = settings;
    this.#security = security;
    this.#codec = codec;
    this.sender.samplesPerMs = codec.clockRateHz / 1_000;
    this.#payloadType = settings.payloadType;
    this.#eventPayloadType = settings.eventPayloadType;
    this.#frames = settings.frames;
    this.#payloadBytes = codec.frameBytes * settings.frames;
    this.#samples = codec.frameSamples * settings.frames;
    if (this.#isEarly) this.#filledMs = null;
    this.#isEarly = settings.early !== null;
    this.#maySend = direction === 'sendrecv' || direction === 'sendonly';
    if (!this.#maySend) this.#isTalking = false;
  }

  /** `yields`: packets of the bridge take its place. */
  play(playback: number, audio: EncodedAudio, loop: boolean, yields = false): void {
    this.#player = new Player(playback, audio, loop);
    this.#yields = yields;
    this.#isTalking = false;
  }

  stop(): void {
    this.#player = null;
    this.#isTalking = false;
  }

  playBackground(audio: EncodedAudio | null): void {
    this.#background = audio && new Player(NO_PLAYBACK, audio, true);
    this.#isTalking = false;
  }

  sendKeys(keys: string): void {
    this.#keys.add(keys);
  }

  /** The source of the audio changes: the next packet begins a talkspurt. */
  interrupt(): void {
    this.#isTalking = false;
  }

  beginRelay(): void {
    this.stop();
    this.#filledMs = null;
    this.#relay.interrupt();
  }

  /** `partner`: the other side of the bridge, which is not heard while there is a background. `isFed`: a conference or bot sends. */
  tick(mix: Mix | null, partner: AudioSource | null, isFed: boolean, nowMs: number): void {
    if (this.#keys.isActive) this.#sendKey(nowMs);
    else if (this.#codec.isPassedThrough) return;
    else if (this.#player) this.#sendPlayback(this.#player, nowMs);
    else if (this.#background) this.#sendBackground(this.#background, mix, partner, nowMs);
    else if (mix) this.#sendMix(mix, nowMs);
    else if (!isFed && this.#isQuiet(partner === null ? PAUSE_MS : BRIDGE_PAUSE_MS, nowMs))
      this.#sendSilence(nowMs);
  }

  /** 20 ms of a conference, in the codec of this stream; keys and prompts come first. */
  sendFrame(frame: Uint8Array, nowMs: number): void {
    if (this.#keys.isActive || this.#player || this.#codec.isPassedThrough) return;
    const { memory } = this.#context.sockets;
    if (this.#frames === 1) memory.set(frame, PAYLOAD);
    else if (this.#gathers(frame)) memory.set(this.#gathered, PAYLOAD);
    else return;
    if (this.#canSend) this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    else this.#isTalking = false;
  }

  /** Packets of more than 20 ms: true once enough frames are there. */
  #gathers(frame: Uint8Array): boolean {
    if (this.#gathered.length !== this.#payloadBytes) this.#gathered = new Uint8Array(this.#payloadBytes);
    this.#gathered.set(frame, (this.#ticks % this.#frames) * frame.length);
    return ++this.#ticks % this.#frames === 0;
  }

  /** Sends on a packet of the bridge, which stands where the other stream received it. `key`: the press that it begins. */
  relay(
    header: RtpHeader,
    theirs: Codec,
    isAudio: boolean,
    isEvent: boolean,
    key: string | null,
    isMixed: boolean,
    nowMs: number,
  ): void {
    const eventPayloadType = this.#eventPayloadType;
    const isReplaced = isMixed || this.#background !== null;
    if (key !== null && (isReplaced || eventPayloadType === null)) this.#keys.add(key);
    if (this.#player !== null && this.#yields && isAudio) this.stop();
    const isTaken = !this.#canSend || this.#keys.isActive || this.#player !== null || isReplaced;
    if (isTaken || (isEvent && eventPayloadType === null)) {
      this.#relay.interrupt();
      return;
    }
    // The two sides change to a codec that is passed through, or back, one after the other.
    if (isAudio && theirs !== this.#codec && (theirs.isPassedThrough || this.#codec.isPassedThrough)) {
      this.#relay.interrupt();
      return;
    }
    if (!isAudio && !isEvent) {
      this.#relay.skip(header);
      return;
    }
    if (!this.#relay.admit(header, this.sender, nowMs)) return;
    const { payloadAt, payloadLength } = header;
    if (isAudio && theirs !== this.#codec)
      transcode(this.#context.sockets.memory, payloadAt, payloadLength, theirs, this.#codec);
    this.#isTalking = false;
    this.#send(
      payloadAt - HEADER_BYTES,
      this.#relay.marker,
      isAudio ? this.#payloadType : (eventPayloadType ?? 0),
      this.#relay.sequence,
      this.#relay.timestamp,
      payloadLength,
      isAudio ? this.#samplesOf(payloadLength) : 0,
      nowMs,
    );
  }

  /** The length of what is passed through says nothing: 20 ms, as browsers and phones send it. */
  #samplesOf(payloadLength: number): number {
    return this.#codec.isPassedThrough ? this.#codec.frameSamples : payloadLength;
  }

  get #canSend(): boolean {
    return this.#maySend && this.#lock.allowance !== 0 && this.#lock.isReachable;
  }

  #sendPlayback(player: Player, nowMs: number): void {
    if (this.#frames > 1 && this.#ticks++ % this.#frames !== 0) return;
    const { memory } = this.#context.sockets;
    // On hold the playback goes on without packets, so that its end is reported.
    player.write(memory, PAYLOAD, this.#payloadBytes, this.#codec);
    if (this.#canSend) this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    else this.#isTalking = false;
    if (!player.hasEnded) return;
    this.stop();
    this.#context.emit(['played', this.#id, player.playback]);
  }

  #sendBackground(background: Player, mix: Mix | null, partner: AudioSource | null, nowMs: number): void {
    if (this.#frames > 1 && this.#ticks++ % this.#frames !== 0) return;
    const { memory } = this.#context.sockets;
    background.write(memory, PAYLOAD, this.#payloadBytes, this.#codec);
    mix?.write(memory, PAYLOAD, this.#frames, this.#codec, partner);
    if (this.#canSend) this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    else this.#isTalking = false;
  }

  #sendMix(mix: Mix, nowMs: number): void {
    if (this.#frames > 1 && this.#ticks++ % this.#frames !== 0) return;
    mix.write(this.#context.sockets.memory, PAYLOAD, this.#frames, this.#codec);
    if (this.#canSend) this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    else this.#isTalking = false;
  }

  #isQuiet(pauseMs: number, nowMs: number): boolean {
    this.#filledMs ??= nowMs;
    return nowMs - this.#filledMs >= pauseMs;
  }

  /** Networks end calls without packets, and peers take them for broken. What a peer that has proved nothing gets is for prompts. */
  #sendSilence(nowMs: number): void {
    if (this.#frames > 1 && this.#ticks++ % this.#frames !== 0) return;
    if (this.#isEarly || !this.#canSend || this.#lock.allowance > 0) {
      this.#isTalking = false;
      return;
    }
    this.#context.sockets.memory.fill(this.#codec.silence, PAYLOAD, PAYLOAD + this.#payloadBytes);
    const { soundedMs } = this;
    const filledMs = this.#filledMs;
    this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    this.soundedMs = soundedMs;
    this.#filledMs = filledMs;
  }

  #sendKey(nowMs: number): void {
    if (!this.#canSend) this.#keys.clear();
    else if (this.#eventPayloadType === null) this.#sendKeyTone(nowMs);
    else this.#sendKeyEvent(this.#eventPayloadType, nowMs);
  }

  #sendKeyTone(nowMs: number): void {
    const codec = this.#codec;
    const { memory } = this.#context.sockets;
    const tone = this.#keys.nextTone();
    for (let index = 0; index < codec.frameBytes; index++)
      memory[PAYLOAD + index] = tone[index] ?? PCMU.silence;
    transcode(memory, PAYLOAD, codec.frameBytes, PCMU, codec);
    this.#sendAudio(codec.frameBytes, codec.frameSamples, nowMs);
    if (!this.#keys.isActive) this.#isTalking = false;
  }

  #sendKeyEvent(payloadType: number, nowMs: number): void {
    this.#isTalking = false;
    this.#relay.interrupt();
    const step = this.#keys.nextEvent();
    if (!step) return;
    if (step.isFirst) this.#eventTimestamp = this.sender.timestampAt(nowMs);
    writeEvent(this.#context.sockets.memory, PAYLOAD, step.event, step.isEnd, step.duration);
    // RFC 4733 §2.5.1.2: every packet of a press carries the time at which it began.
    this.#send(
      OUTGOING,
      step.isFirst,
      payloadType,
      this.sender.nextSequence,
      this.#eventTimestamp,
      EVENT_BYTES,
      0,
      nowMs,
    );
  }

  /** Sends the audio that stands at PAYLOAD. */
  #sendAudio(payloadBytes: number, samples: number, nowMs: number): void {
    const { sender } = this;
    // The bridge may be quiet meanwhile: its next packet must not get a number that is used here.
    this.#relay.interrupt();
    this.#send(
      OUTGOING,
      !this.#isTalking,
      this.#payloadType,
      sender.nextSequence,
      this.#isTalking ? sender.nextTimestamp : sender.timestampAt(nowMs),
      payloadBytes,
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
    const { sockets } = this.#context;
    if (this.#lock.allowance > 0) this.#lock.allowance--;
    writeRtp(sockets.memory, at, marker, payloadType, sequence, timestamp, this.sender.ssrc);
    const plain = HEADER_BYTES + payloadLength;
    const length = this.#security?.protect(sockets.memory, at, plain) ?? plain;
    if (length === REFUSED) return;
    sockets.send(this.#socket, at, length, this.#lock.peer);
    this.soundedMs ??= nowMs;
    this.#filledMs = nowMs;
    this.sender.note(sequence, timestamp, samples, payloadLength, nowMs);
  }
}

// What one stream sends: keys, prompts, a mix or the packets of its bridge, always as one RTP source. The stream calls `tick` every
// 20 ms; packets of the bridge are relayed as they arrive.
import { Player } from '../audio/player.ts';
import { type Codec, type EncodedAudio, PCMU, transcode } from '../codec.ts';
import { KeySender } from '../dtmf/key-sender.ts';
import { EVENT_BYTES, writeEvent } from '../dtmf/telephone-event.ts';
import type { Mix } from '../mixing/mix.ts';
import type { Agreed } from '../orders/agreed.ts';
import { Relay } from '../rtp/relay.ts';
import { HEADER_BYTES, type RtpHeader, writeRtp } from '../rtp/rtp.ts';
import { Sender } from '../rtp/sender.ts';
import type { SourceLock } from '../rtp/source-lock.ts';
import { OUTGOING } from '../sockets/sockets.ts';
import type { StreamContext } from './stream-context.ts';

const PAYLOAD = OUTGOING + HEADER_BYTES;

export class StreamOutput {
  readonly sender = new Sender(Math.random);
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
  /** Of one packet of audio. */
  #payloadBytes = PCMU.frameBytes;
  #samples = PCMU.frameSamples;
  #ticks = 0;
  #maySend = false;
  #player: Player | null = null;
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

  configure(settings: Agreed, codec: Codec): void {
    const { direction } = settings;
    this.#codec = codec;
    this.#payloadType = settings.payloadType;
    this.#eventPayloadType = settings.eventPayloadType;
    this.#frames = settings.frames;
    this.#payloadBytes = codec.frameBytes * settings.frames;
    this.#samples = codec.frameSamples * settings.frames;
    this.#maySend = direction === 'sendrecv' || direction === 'sendonly';
    if (!this.#maySend) this.#isTalking = false;
  }

  play(playback: number, audio: EncodedAudio, loop: boolean): void {
    this.#player = new Player(playback, audio, loop);
    this.#isTalking = false;
  }

  stop(): void {
    this.#player = null;
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
    this.#relay.interrupt();
  }

  tick(mix: Mix | null, nowMs: number): void {
    if (this.#keys.isActive) this.#sendKey(nowMs);
    else if (this.#player) this.#sendPlayback(this.#player, nowMs);
    else if (mix) this.#sendMix(mix, nowMs);
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
    if (key !== null && (isMixed || eventPayloadType === null)) this.#keys.add(key);
    const isTaken = !this.#canSend || this.#keys.isActive || this.#player !== null || isMixed;
    if (isTaken || (isEvent && eventPayloadType === null)) {
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
      isAudio ? payloadLength : 0,
      nowMs,
    );
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

  #sendMix(mix: Mix, nowMs: number): void {
    if (this.#frames > 1 && this.#ticks++ % this.#frames !== 0) return;
    mix.write(this.#context.sockets.memory, PAYLOAD, this.#frames, this.#codec);
    if (this.#canSend) this.#sendAudio(this.#payloadBytes, this.#samples, nowMs);
    else this.#isTalking = false;
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
    sockets.send(this.#socket, at, HEADER_BYTES + payloadLength, this.#lock.peer);
    this.sender.note(sequence, timestamp, samples, payloadLength, nowMs);
  }
}

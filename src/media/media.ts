// The media engine as the main thread sees it. Worker threads move every packet: the main thread never waits for one, and no packet
// waits for the main thread.
import type { CodecName } from './codec.ts';
import type { SrtpKeys } from './srtp/suites.ts';
import type { IceAgreement } from './webrtc/webrtc.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The result of offer and answer (sdp/negotiation.ts). Ports and addresses are the peer's. */
export interface StreamSettings {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly remoteRtcpPort: number;
  /**
   * The source of the peer's signalling. Behind NAT its RTP comes from there and not from the signalled address; no other address
   * is accepted. Missing: any address is.
   */
  readonly signallingAddress?: string;
  readonly codec: CodecName;
  /** Usually the static one (0 or 8), but an offer may assign another. */
  readonly payloadType: number;
  /** The payload type of telephone-event; null: the peer does not support it, and keys are detected in the audio. */
  readonly eventPayloadType: number | null;
  readonly ptimeMs: number;
  /** As seen from us: 'recvonly' means that we send nothing. */
  readonly direction: Direction;
  /** Absent: plain RTP. With it, packets that are not by the peer's key are dropped. */
  readonly srtp?: SrtpKeys;
  /** Before the answer, when silence is no fault. 'unverified': nothing is sent until a packet has come from the peer. */
  readonly early?: Early;
  /** The peer is a browser: its packets come by way of webrtc/, and the address above has no meaning. */
  readonly ice?: IceAgreement;
}

export type Early = 'verified' | 'unverified';

export type KeySource = 'rfc4733' | 'in-band';

export interface StreamStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** Interarrival jitter, RFC 3550 §6.4.1, in milliseconds. */
  readonly jitterMs: number;
  /** The delay that jitter buffers added to its audio on the way to its bridge or conference, on average, while there were any. */
  readonly bufferMs: number;
  /** Packets that came too late for them. */
  readonly packetsLate: number;
  /** From the peer's receiver reports; null: none arrived. */
  readonly remoteLost: number | null;
  readonly remoteJitterMs: number | null;
  readonly roundTripMs: number | null;
  /** Packets that were dropped because they are not from the peer. */
  readonly strangers: number;
  /** Audio flowed one way only, although sendrecv was agreed on. */
  readonly oneWay: boolean;
}

export interface StreamEvents {
  keyPressed(key: string, source: KeySource): void;
  /** A playback reached its end. Not called after `stop`. */
  played(playback: number): void;
  /** No packet for the RTP time-out although the peer may send and does not hold us. Called once. */
  silent(): void;
  /** Sound goes out, none comes in. `from`: another source, whose packets are not accepted; null: no packets arrive at all. */
  oneWay(from: string | null): void;
  /** The stream failed, or its worker died: no further events; close it. */
  failed?(reason: string): void;
}

export type SoundSource =
  | { readonly kind: 'sound'; readonly id: string }
  | { readonly kind: 'tone'; readonly tone: ToneName };

export type ToneName =
  | 'missing'
  | 'ringback'
  | 'busy'
  | 'beep'
  | 'notice'
  | 'joined'
  | 'left'
  | 'hold'
  | 'silence';

export type RecordingEnd = 'silence' | 'length' | 'stopped' | 'ended';

export interface RecordingLimits {
  readonly maxMs: number;
  /** Ends after so long without a sound; null: never. */
  readonly silenceMs: number | null;
}

/** Receives a recording, about a second at a time. */
export interface RecordingSink {
  /** µ-law; of two sides the samples alternate. How much of it so far is sound, and where the last sound ended. */
  wrote(audio: Buffer, soundMs: number, soundEndMs: number): void;
  /** Called once, last. */
  ended(why: RecordingEnd): void;
}

/** monitor: the listener hears both. whisper: and the target hears it. barge: and both hear it. */
export type ListenMode = 'monitor' | 'whisper' | 'barge';

export interface Stream {
  /** The RTP port, for SDP; RTCP is the port after it. */
  readonly port: number;
  /** At first and after every re-INVITE. Nothing is sent or accepted before the first. */
  configure(settings: StreamSettings): void;
  /**
   * Ends the current playback, without `played`. With `loop` it repeats until `stop`. A bridge ends it, too; one that begins later is heard
   * in place of the bridge, but a ringback tone only until the other stream receives audio.
   */
  play(playback: number, source: SoundSource, loop?: boolean): void;
  stop(): void;
  /**
   * Repeats until it is replaced or null: in place of the bridge's packets, interrupted by playbacks and keys, and mixed with streams
   * that listen in.
   */
  playBackground(source: SoundSource | null): void;
  /** Audio and keys both ways. Of streams that were not opened `near` each other it takes two more ports (engine/worker-relay.ts). */
  bridge(other: Stream): void;
  unbridge(): void;
  /** In place of a bridge: a voice bot, whose audio comes and goes by the ring (bots/bot-ring.ts). Null: no more. */
  linkBot(ring: SharedArrayBuffer | null): void;
  /** As telephone-events, or as tones where the peer does not support them. */
  sendKeys(keys: string): void;
  /** Delivers what the peer sends, as µ-law frames: for `dialtree call` and doctor. Null stops it. */
  tap(deliver: ((audio: Buffer) => void) | null): void;
  /** What the peer sends, and on a second channel what the peer of `other` sends, which was opened near or is bridged with it, or its bot. Ends a former recording. */
  record(limits: RecordingLimits, sink: RecordingSink, other?: Stream | 'bot'): void;
  stopRecording(): void;
  /** Receives the audio of a stream that was opened near, or is bridged with one, and of its bridge. Null stops it. */
  listenIn(target: Stream | null, mode?: ListenMode): void;
  /** Releases the port. No events after the statistics. */
  close(): Promise<StreamStatistics>;
}

/** A conference: each stream in it hears all others. Its streams may be of any worker. */
export interface Conference {
  /** Ends the stream's bridge and playback. Again: without effect. */
  join(stream: Stream): void;
  leave(stream: Stream): void;
  /** What it says is not heard. */
  mute(stream: Stream, isMuted: boolean): void;
  /** All hear it over the conversation, after what was announced before. `audio`: µ-law at 8 kHz, which is not kept. */
  announce(source: SoundSource | { readonly kind: 'audio'; readonly audio: Uint8Array }): void;
  /** The sum of all, in one channel. Ends a former recording. */
  record(limits: RecordingLimits, sink: RecordingSink): void;
  stopRecording(): void;
  /** Its streams stay open. */
  close(): void;
}

export interface MediaEngine {
  /** 'syscalls' or 'dgram': which adapter moves the packets. */
  readonly adapter: string;
  /** Why 'auto' fell back to dgram; null: it did not. */
  readonly fallback: string | null;
  /** Synchronous, from the ports that are ready; null when none is. */
  open(events: StreamEvents, near?: Stream): Stream | null;
  /** It mixes in the worker of `near`. `failed`: nobody hears anything any more, close it. */
  openConference(near: Stream, failed: (reason: string) => void): Conference;
  /** 8 kHz µ-law, encoded once for all codecs. The same id again replaces it for later playbacks. */
  loadSound(id: string, ulaw: Buffer): void;
  unloadSound(id: string): void;
  readonly openStreams: number;
  /** Whether a port has been bound for RTP or RTCP. */
  ownsPort(port: number): boolean;
  /** Socket pairs that streams can take now; at most SPARE for each worker are held ready. */
  readonly readyPairs: number;
  close(): Promise<void>;
}

export interface MediaConfig {
  readonly host: string;
  readonly ports: { readonly from: number; readonly to: number };
  readonly workers: number;
  readonly adapter: 'auto' | 'syscalls' | 'dgram';
  /** Whether workers get real-time priority (sockets/syscalls/priority.ts). */
  readonly realTime?: boolean;
  /** How long the peer may be silent before `silent`. */
  readonly rtpTimeoutMs: number;
  /** A worker died and is restarted; its streams have failed. */
  onFailure?(reason: string): void;
  onWarning?(reason: string): void;
}

// The media engine as the main thread sees it. Worker threads move every packet: the main thread never waits for one, and no packet
// waits for the main thread.
import type { CodecName } from './codec.ts';

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
  /** Of telephone-event; null: the peer does not support it, and keys are detected in the audio. */
  readonly eventPayloadType: number | null;
  readonly ptimeMs: number;
  /** As seen from us: 'recvonly' means that we send nothing. */
  readonly direction: Direction;
}

export type KeySource = 'rfc4733' | 'in-band';

export interface StreamStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** Interarrival jitter, RFC 3550 §6.4.1, in milliseconds. */
  readonly jitterMs: number;
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
  oneWay(): void;
  /** The stream failed, or its worker died: no further events; close it. */
  failed?(reason: string): void;
}

export type SoundSource =
  | { readonly kind: 'sound'; readonly id: string }
  | { readonly kind: 'tone'; readonly tone: ToneName };

export type ToneName = 'missing' | 'ringback' | 'busy' | 'beep' | 'notice';

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
  /** Ends the current playback, without `played`. With `loop` it repeats until `stop`. */
  play(playback: number, source: SoundSource, loop?: boolean): void;
  stop(): void;
  /** Audio and keys both ways. Both streams must have been opened `near` each other. */
  bridge(other: Stream): void;
  unbridge(): void;
  /** As telephone-events, or as tones where the peer does not support them. */
  sendKeys(keys: string): void;
  /** Delivers what the peer sends, as µ-law frames: for `dialtree call` and doctor. Null stops it. */
  tap(deliver: ((audio: Buffer) => void) | null): void;
  /** What the peer sends, and on a second channel what the peer of `other` sends, which was opened near. Ends a former recording. */
  record(limits: RecordingLimits, sink: RecordingSink, other?: Stream): void;
  stopRecording(): void;
  /** Receives the audio of a stream that was opened near, and of its bridge. Null stops it. */
  listenIn(target: Stream | null, mode?: ListenMode): void;
  /** Releases the port. No events after the statistics. */
  close(): Promise<StreamStatistics>;
}

export interface MediaEngine {
  /** 'syscalls' or 'dgram': which adapter moves the packets. */
  readonly adapter: string;
  /** Why 'auto' fell back to dgram; null: it did not. */
  readonly fallback: string | null;
  /** Synchronous, from the ports that are ready; null when none is. */
  open(events: StreamEvents, near?: Stream): Stream | null;
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

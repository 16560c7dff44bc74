// The media engine as the main thread sees it. Behind it worker threads move every packet; nothing here waits for one, and no
// packet ever waits for the main thread.

export type Codec = 'pcmu' | 'pcma';
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** What offer and answer agreed on (sdp.ts makes it). Ports and addresses are the peer's. */
export interface StreamSettings {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly remoteRtcpPort: number;
  /**
   * Where the peer's signalling comes from. Behind NAT its audio comes from there and not from where it says; it is believed from
   * these two addresses alone. Missing: from anywhere.
   */
  readonly signallingAddress?: string;
  readonly codec: Codec;
  /** 0 and 8 by habit, but an offer may number them otherwise. */
  readonly payloadType: number;
  /** Of telephone-event; null: the peer has none, so keys are listened for in the audio. */
  readonly eventPayloadType: number | null;
  readonly ptimeMs: number;
  /** As seen from us: 'recvonly' means that we send nothing. */
  readonly direction: Direction;
}

/** How a key reached us. */
export type KeySource = 'rfc4733' | 'in-band';

export interface StreamStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** Interarrival jitter, RFC 3550 §6.4.1, in milliseconds. */
  readonly jitterMs: number;
  /** As the peer's receiver reports tell; null: none came. */
  readonly remoteLost: number | null;
  readonly remoteJitterMs: number | null;
  readonly roundTripMs: number | null;
  /** Packets from anybody but the peer, dropped. */
  readonly strangers: number;
  /** Audio flowed one way only, although both were agreed on. */
  readonly oneWay: boolean;
}

export interface StreamEvents {
  keyPressed(key: string, source: KeySource): void;
  /** A playback ended by itself. Not told after `stop`. */
  played(playback: number): void;
  /** No packet for the RTP time-out although the peer should send, and does not hold us. Reported once. */
  silent(): void;
  oneWay(): void;
  /** The stream broke, or its worker died: nothing more will happen, close it. */
  failed?(reason: string): void;
}

/** A sound to play: one that was loaded, or a tone made on the fly. */
export type SoundSource =
  | { readonly kind: 'sound'; readonly id: string }
  | { readonly kind: 'tone'; readonly tone: ToneName };

export type ToneName = 'missing' | 'ringback' | 'busy' | 'beep' | 'notice';

/** Why a recording ended. */
export type RecordingEnd = 'silence' | 'length' | 'stopped' | 'ended';

export interface RecordingLimits {
  readonly maxMs: number;
  /** Ends after so long without a sound; null: never. */
  readonly silenceMs: number | null;
}

/** Takes a recording, second by second. Nobody waits for it. */
export interface RecordingSink {
  /** µ-law; of two sides the samples alternate. How much of all so far was sound, and where the last sound ended. */
  wrote(audio: Buffer, soundMs: number, soundEndMs: number): void;
  /** Once, and nothing after it. */
  ended(why: RecordingEnd): void;
}

/** monitor: the listener hears both. whisper: and is heard by the one listened to. barge: and by both. */
export type ListenMode = 'monitor' | 'whisper' | 'barge';

export interface Stream {
  /** The address and port to write into SDP; RTCP is the port after it. */
  readonly port: number;
  /** Agreed settings, at first and after every re-INVITE. Before the first nothing is sent or accepted. */
  configure(settings: StreamSettings): void;
  /** Ends what plays now, without `played`. `loop` never ends by itself. */
  play(playback: number, source: SoundSource, loop?: boolean): void;
  stop(): void;
  /** Audio and keys both ways from now on; streams of one engine that were opened `near` each other. */
  bridge(other: Stream): void;
  unbridge(): void;
  /** As telephone-events, or as tones where the peer has none. */
  sendKeys(keys: string): void;
  /** Calls with what the peer sends, as µ-law: for `dialtree call`, doctor, recorders. Null stops it. */
  tap(heard: ((audio: Buffer) => void) | null): void;
  /** What the peer says, and on a second channel what `other`'s does, which was opened near. Ends a former recording. */
  record(limits: RecordingLimits, tape: RecordingSink, other?: Stream): void;
  stopRecording(): void;
  /** Hears a stream that was opened near, and the one it is bridged with. Null stops it. */
  listenIn(target: Stream | null, mode?: ListenMode): void;
  /** Gives the port back. The statistics come last; nothing is told after them. */
  close(): Promise<StreamStatistics>;
}

export interface MediaEngine {
  /** 'syscalls' or 'dgram': which adapter moves the packets. */
  readonly adapter: string;
  /** Why the faster adapter is not used although it was wanted; null: it is, or nobody wanted it. */
  readonly fallback: string | null;
  /** At once, from the ports held ready; null when the range or the engine is full. */
  open(events: StreamEvents, near?: Stream): Stream | null;
  /** 8 kHz µ-law, encoded once. The same id again replaces it for later plays. */
  loadSound(id: string, ulaw: Buffer): void;
  unloadSound(id: string): void;
  readonly openStreams: number;
  readonly capacity: number;
  close(): Promise<void>;
}

export interface MediaConfig {
  readonly host: string;
  readonly ports: { readonly from: number; readonly to: number };
  readonly workers: number;
  readonly adapter: 'auto' | 'syscalls' | 'dgram';
  /** Whether workers run before all others (syscalls/priority.ts); without it as everybody. */
  readonly realTime?: boolean;
  /** Peer silence after which `silent` is told. */
  readonly rtpTimeoutMs: number;
  /** A worker died and is started again; its streams were told. */
  onFailure?(reason: string): void;
  /** It works, but not as it was asked to. */
  onComplaint?(reason: string): void;
}

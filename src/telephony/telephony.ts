// PORT to telephony: legs and their operations. A leg is one side of a call; it knows nothing of menus, agents or accounts. service/
// chooses the adapter: builtin/ (our SIP and media) or fake/ (for tests).

/** The authenticated remote side. */
export type Peer =
  /** A phone, authenticated by digest. `id` is that of its credentials. */
  | { readonly kind: 'phone'; readonly id: string }
  | { readonly kind: 'trunk'; readonly id: string }
  /** Not authenticated, on this machine. */
  | { readonly kind: 'local' };

export interface IncomingCall {
  readonly leg: Leg;
  readonly peer: Peer;
  /** The user part of the Request-URI. */
  readonly dialled: string;
  /** The user part of To: a provider at which we register dials our user name and writes the number there. */
  readonly toUser: string;
  /** The caller's number, as far as the peer is trusted; null: withheld. */
  readonly caller: string | null;
  readonly callerName: string;
  /** The Call-ID of SIP. */
  readonly callId: string;
}

export type Target =
  /** All phones registered with these credentials. */
  | { readonly kind: 'phones'; readonly id: string }
  | {
      readonly kind: 'trunk';
      readonly id: string;
      readonly number: string;
      /** The caller ID to present; null: anonymous. Absent: the trunk's own, or else the caller's. */
      readonly shown?: string | null;
    };

/** Legs that may exist at once under one key. */
export interface Quota {
  readonly key: string;
  readonly most: number;
  /** What an incoming call beyond it is refused with. */
  readonly status: 486 | 503;
}

export interface DialOptions {
  readonly caller: string | null;
  readonly callerName: string;
  /** Shares the media worker of this leg, so that both can be connected. */
  readonly near?: Leg;
  /** Without room in one of them the call is not placed. */
  readonly quotas?: readonly Quota[];
}

export type KeySource = 'rfc4733' | 'info' | 'in-band';

export type PlayableSound =
  | { readonly kind: 'recording'; readonly sha256: string }
  | { readonly kind: 'system'; readonly prompt: string }
  | { readonly kind: 'tone'; readonly tone: 'missing' | 'ringback' | 'busy' | 'beep' | 'notice' };

export type RecordingEnd = 'silence' | 'length' | 'stopped' | 'ended';

export interface RecordOptions {
  readonly maxMs: number;
  /** Ends after so long without a sound; null: never. */
  readonly silenceMs: number | null;
  /** Its side is the second channel; it must have been dialled near. */
  readonly with?: Leg;
}

/** Receives a recording, about a second at a time. It may outlive the leg shortly; `ended` is always called. */
export interface RecordingSink {
  /** µ-law at 8 kHz; of two sides the samples alternate. How much of it so far is sound, and where the last sound ended. */
  wrote(audio: Buffer, soundMs: number, soundEndMs: number): void;
  /** Called once, last. */
  ended(why: RecordingEnd): void;
}

/** monitor: the listener hears both sides. whisper: and the target hears it. barge: and both hear it. */
export type ListenMode = 'monitor' | 'whisper' | 'barge';

export interface LegEnd {
  readonly by: 'us' | 'peer' | 'timeout' | 'network';
  /** Why a call was not answered; 'ended' after an answer. */
  readonly outcome: 'ended' | 'busy' | 'declined' | 'unreachable' | 'no-answer' | 'failed';
  /** Q.850, where the peer gave one. */
  readonly cause: number | null;
  readonly status: number | null;
  readonly text: string;
  /** The service itself failed, its media for example: neither the peer nor the network is to blame. */
  readonly isFault?: true;
}

export interface LegStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  readonly oneWay: boolean;
}

export interface LegLadderLine {
  /** As of performance.now(). */
  readonly atMs: number;
  readonly direction: 'in' | 'out';
  readonly method: string;
  /** 0: the request itself. */
  readonly status: number;
  readonly transport: string;
  /** The peer's User-Agent, with its first message; at most 128 characters, not trusted. */
  readonly userAgent?: string;
  /** From 1, where several phones of one target ring. */
  readonly phone?: number;
}

export interface LegLadder {
  readonly lines: readonly LegLadderLine[];
  /** Messages beyond the limit per leg. */
  readonly leftOut: number;
}

export interface LegEvents {
  ringing(): void;
  /** An outgoing leg was answered; of several phones by the first, and the others are cancelled. */
  answered(): void;
  keyPressed(key: string, source: KeySource): void;
  played(playback: number): void;
  /** The sound is not available: a short tone is played in its place, and `played` follows. */
  soundMissing(playback: number): void;
  held(): void;
  resumed(): void;
  oneWay(): void;
  /** The peer asks for a transfer to `dialled` (REFER). */
  transferAsked(dialled: string, answer: (accepted: boolean) => void): void;
  /**
   * Called once, last; after `listen`, if the leg had ended before. The statistics may be pending, so that the end is not delayed by
   * them. The promise never rejects, and the ladder is complete when it resolves.
   */
  ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void;
}

export interface Leg {
  /** The Call-ID of its dialog. Where several phones ring, that of the first of them until one answers. */
  readonly callId: string;
  listen(events: LegEvents): void;
  /** Incoming legs: 180, so that the caller's phone plays ringback. */
  ring(): void;
  /** Incoming legs. Idempotent. */
  answer(): void;
  /** Replaces the current playback, without `played`. */
  play(playback: number, sound: PlayableSound, options?: { readonly loop?: boolean }): void;
  stopPlaying(): void;
  /** Audio and keys both ways, until either ends. */
  connect(other: Leg): void;
  disconnect(): void;
  /** What the peer sends, and what the peer of `with` sends; not what we play. Ends a former recording of this leg. */
  record(options: RecordOptions, sink: RecordingSink): void;
  stopRecording(): void;
  /** Joins the conversation of `target` and the leg it is connected with. This leg must be near it. Again: changes the mode. */
  listenIn(target: Leg, mode: ListenMode): void;
  sendKeys(keys: string): void;
  /** Its messages so far, in order. An adapter without messages has none. */
  ladder?(): LegLadder;
  /** Ends the leg in any state. `cause` is Q.850. Idempotent; `ended` follows. */
  hangUp(cause?: number): void;
}

export interface Credentials {
  /** The Peer id of a phone that uses them. */
  readonly id: string;
  readonly realm: string;
  /** H(user:realm:password) in hex. */
  readonly md5: string;
  readonly sha256: string;
  /** An answer in MD5, though right, is asked for again in SHA-256. */
  readonly requireSha256: boolean;
}

/** What telephony needs of the service, answered from memory. */
export interface TelephonyUser {
  /** Which of these trunks, all of one account, a call to one of these numbers belongs to. */
  trunkOf(ids: readonly string[], dialled: readonly string[]): string;
  /** Before anything is kept of a call, and before its number is known: a refusal, or what its leg is counted against. */
  mayCall(peer: Peer): Refusal | readonly Quota[];
  /** All credentials with this user name: several accounts may have a 1001. */
  credentialsOf(user: string): readonly Credentials[];
  /** Those of one id, if they have this user name. */
  credentialsFor(id: string, user: string): Credentials | undefined;
  /** Where registered phones are kept across restarts; absent: nowhere. */
  readonly phones?: PhoneStore | undefined;
  /**
   * An incoming call. The returned status refuses it; null accepts it. Only called for peers on this machine, trunks and
   * authenticated phones.
   */
  called(call: IncomingCall): Refusal | null | Promise<Refusal | null>;
}

/** A registered phone as it is kept across restarts. */
export interface StoredPhone {
  /** Of its credentials. */
  readonly id: string;
  /** Which of the phones of `id`. */
  readonly key: string;
  readonly contact: string;
  /** RFC 3327; URIs. */
  readonly path: readonly string[];
  readonly instance: string;
  readonly q: number;
  /** RFC 3261 §10.3: within one Call-ID the CSeq must grow. */
  readonly callId: string;
  readonly cseq: number;
  /** When it was stored; refreshes of less than `PHONE_SLACK_MS` since then are not. */
  readonly expiresAtMs: number;
  readonly userAgent: string;
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** The flow by which it registered. */
  readonly source: PhoneAddress;
  readonly local: PhoneAddress;
  readonly user: string;
  /** A hash of its credentials: others make it invalid. */
  readonly credential: string;
}

export interface PhoneAddress {
  readonly address: string;
  readonly port: number;
}

/** A phone may be registered for this much longer than the store says: so a refresh every minute is not a write every minute. */
export const PHONE_SLACK_MS = 600_000;

export interface PhoneStore {
  /** Bounded in number and time; empty when they cannot be read. */
  load(): Promise<readonly StoredPhone[]>;
  save(phone: StoredPhone): void;
  /** Unless the store has a later expiry than `expiresAtMs`: then another process has refreshed it. */
  remove(phone: Pick<StoredPhone, 'id' | 'key' | 'expiresAtMs'>): void;
}

export interface Refusal {
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

/** A SIP provider or another PBX. */
export interface Trunk {
  readonly id: string;
  /** Whose it is: trunks of one account share its part of what all have. */
  readonly account: string;
  readonly name: string;
  readonly host: string;
  /** 0: by SRV, or the protocol's default. */
  readonly port: number;
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** Whether `host` may be or lead to an address that is not on the open internet. */
  readonly privateHost: boolean;
  /** Source addresses and networks (CIDR) of its calls. */
  readonly addresses: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly register: boolean;
  readonly maxCalls: number;
  readonly callerId: string | null;
}

export interface PhoneBinding {
  readonly contact: string;
  readonly userAgent: string;
  readonly expiresAtMs: number;
  readonly address: string;
  /** False: it does not answer, or its connection is gone; it is not rung until it does. */
  readonly reachable: boolean;
}

export interface Telephony {
  /** Replaces all trunks; those left out are unregistered. */
  setTrunks(trunks: readonly Trunk[]): void;
  /** Credentials changed: phones that registered with others are unregistered. */
  checkPhones(): void;
  /** Null when no phone is registered or a limit is reached. */
  dial(target: Target, options: DialOptions): Leg | null;
  /** Registered phones, also those that cannot be reached. */
  phonesOf(id: string): readonly PhoneBinding[];
  trunkState(id: string): {
    readonly registered: boolean | null;
    readonly calls: number;
    readonly problem: string | null;
  };
  /** Refuses new calls with 503 and Retry-After. */
  drain(): void;
  readonly legs: number;
  report(): TelephonyReport;
  close(): Promise<void>;
}

/** By whether they need a registration, and have it. */
export interface TrunkCounts {
  readonly registered: number;
  readonly failing: number;
  /** They need none: whether they can be reached shows when they are called. */
  readonly unregistered: number;
}

export interface TelephonyReport {
  readonly listening: readonly string[];
  readonly mediaAdapter: string;
  readonly legs: number;
  readonly transactions: number;
  readonly registrations: number;
  readonly trunks: TrunkCounts;
  readonly bans: number;
  readonly streams: number;
  /** Streams that could be opened at once. */
  readonly readyStreams: number;
}

// PORT to the telephone world: legs, and what can be done to them. A leg is one side of a call; it knows nothing of menus,
// agents or accounts. main.ts chooses who stands behind this: builtin/ (our SIP and media) or fake/ (for tests).

/** Who is on the other end, as far as signalling proved it. */
export type Peer =
  /** A registered phone, proved by digest. `id` is what the directory gave for its credentials. */
  | { readonly kind: 'phone'; readonly id: string }
  | { readonly kind: 'trunk'; readonly id: string }
  /** Nobody we know, on this machine. */
  | { readonly kind: 'local' };

export interface IncomingCall {
  readonly leg: Leg;
  readonly peer: Peer;
  /** The user part of what was dialled. */
  readonly dialled: string;
  /** The user part of To: where a provider that we registered at writes the number, having dialled our user name. */
  readonly toUser: string;
  /** The caller's number, as the peer may claim it; null: withheld. */
  readonly caller: string | null;
  readonly callerName: string;
  /** The protocol's own id (Call-ID): what a person greps the log for. */
  readonly callId: string;
}

/** Whom to call. */
export type Target =
  /** All phones registered under the id that the directory gave. */
  | { readonly kind: 'phones'; readonly id: string }
  | {
      readonly kind: 'trunk';
      readonly id: string;
      readonly number: string;
      /** The number to show there; null: none. Absent: the trunk's own, or else the caller's. */
      readonly shown?: string | null;
    };

export interface DialOptions {
  readonly caller: string | null;
  readonly callerName: string;
  /** Shares the media worker of this leg, so that both can be connected. */
  readonly near?: Leg;
}

export type KeySource = 'rfc4733' | 'info' | 'in-band';

export type Sound =
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

/** Takes a recording, about a second at a time. It may outlive the leg by a moment, and its end is always told. */
export interface RecordingSink {
  /** µ-law at 8 kHz; of two sides the samples alternate. How much of all so far was sound, and where the last sound ended. */
  wrote(audio: Buffer, soundMs: number, soundEndMs: number): void;
  /** Once, and nothing after it. */
  ended(why: RecordingEnd): void;
}

/** monitor: the listener hears both sides. whisper: and is heard by the leg listened to. barge: and by both. */
export type ListenMode = 'monitor' | 'whisper' | 'barge';

export interface LegEnd {
  readonly by: 'us' | 'peer' | 'timeout' | 'network';
  /** What became of a call that was not answered; 'ended' after an answer. */
  readonly outcome: 'ended' | 'busy' | 'declined' | 'unreachable' | 'no-answer' | 'failed';
  /** Q.850, where the peer gave one. */
  readonly cause: number | null;
  readonly status: number | null;
  readonly text: string;
}

export interface LegStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  readonly oneWay: boolean;
}

/** A message of a leg's protocol, for whoever looks at the call later. */
export interface LegLadderLine {
  /** As performance.now() tells it. */
  readonly atMs: number;
  /** From the peer, or to it. */
  readonly direction: 'in' | 'out';
  readonly method: string;
  /** 0: the request itself. */
  readonly status: number;
  readonly transport: string;
  /** What the peer calls itself, with its first message; at most 128 characters that anybody may have written. */
  readonly userAgent?: string;
  /** From 1, where several phones of one target ring. */
  readonly phone?: number;
}

export interface LegLadder {
  readonly lines: readonly LegLadderLine[];
  /** Messages beyond the bound of the leg. */
  readonly leftOut: number;
}

export interface LegEvents {
  /** An outgoing leg's phone rings. */
  ringing(): void;
  /** An outgoing leg was answered; of several phones the first, the others are cancelled already. */
  answered(): void;
  keyPressed(key: string, source: KeySource): void;
  played(playback: number): void;
  /** The sound could not be had: the short tone is played in its place, and `played` follows. */
  soundMissing(playback: number): void;
  held(): void;
  resumed(): void;
  /** Audio flows one way only. */
  oneWay(): void;
  /** The peer asks to be replaced by a call to `dialled` (REFER). Answer with what to tell it. */
  transferAsked(dialled: string, answer: (accepted: boolean) => void): void;
  /**
   * Once, and nothing after it. Whoever listens to a leg that ended unheard is told soon after. The statistics may still be on
   * their way: nobody shall wait for them to hear of the end. That promise never rejects, and the ladder is whole with it.
   */
  ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void;
}

export interface Leg {
  readonly id: string;
  listen(events: LegEvents): void;
  /** Incoming legs: the phone at the other end hears its own ringback (180). */
  ring(): void;
  /** Incoming legs. Idempotent. */
  answer(): void;
  /** Ends what plays, without `played`. */
  play(playback: number, sound: Sound, options?: { readonly loop?: boolean }): void;
  stopPlaying(): void;
  /** Audio and keys both ways, until either ends. */
  connect(other: Leg): void;
  disconnect(): void;
  /** What the peer says from now on, and what is said on `with`. Not what we play. Ends a former recording of this leg. */
  record(options: RecordOptions, tape: RecordingSink): void;
  stopRecording(): void;
  /** Joins a conversation: `target` and whoever it is connected with. This leg must be near it. Again: another mode. */
  listenIn(target: Leg, mode: ListenMode): void;
  stopListening(): void;
  sendKeys(keys: string): void;
  /** Its messages so far, in order. A world without messages has none. */
  ladder?(): LegLadder;
  /** Ends the leg, in whatever state. `cause` is Q.850. Idempotent; `ended` is told. */
  hangUp(cause?: number): void;
}

export interface Credentials {
  /** Given back as a phone's Peer id. */
  readonly id: string;
  readonly realm: string;
  /** H(user:realm:password) in hex. */
  readonly md5: string;
  readonly sha256: string;
  /** Challenge with SHA-256 instead of MD5. */
  readonly requireSha256: boolean;
}

/** What the telephone side asks of the rest, answered from memory at once. */
export interface TelephonyUser {
  /** Which of these trunks is meant by a call to one of these numbers: several accounts may have one provider. */
  trunkOf(ids: readonly string[], dialled: readonly string[]): string;
  /** Everybody who may register under this user name: several accounts may have a 1001. */
  credentialsOf(user: string): readonly Credentials[];
  /**
   * A call. Refused by the status it returns, before anything is answered; null takes it. Never asked for a peer that is not
   * on this machine, is no trunk and cannot prove who it is.
   */
  called(call: IncomingCall): Refusal | null | Promise<Refusal | null>;
}

export interface Refusal {
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

/** A named peer: a provider, another exchange. */
export interface Trunk {
  readonly id: string;
  readonly name: string;
  /** Where calls go out to. */
  readonly host: string;
  /** 0 = by SRV, or the protocol's default. */
  readonly port: number;
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** Addresses and networks (CIDR) that calls may come in from. */
  readonly addresses: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly register: boolean;
  /** Simultaneous calls. */
  readonly maxCalls: number;
  readonly callerId: string | null;
}

export interface PhoneBinding {
  readonly contact: string;
  readonly userAgent: string;
  readonly expiresAtMs: number;
  readonly address: string;
}

export interface Telephony {
  /** Trunks as they are now; those left out are unregistered and closed. */
  setTrunks(trunks: readonly Trunk[]): void;
  /** Null when a limit is reached. The leg's events tell the rest. */
  dial(target: Target, options: DialOptions): Leg | null;
  phonesOf(id: string): readonly PhoneBinding[];
  trunkState(id: string): {
    readonly registered: boolean | null;
    readonly calls: number;
    readonly problem: string | null;
  };
  /** No new calls from now on: 503 with Retry-After. */
  drain(): void;
  /** How many legs live. */
  readonly legs: number;
  /** For metrics and `doctor`. */
  report(): TelephonyReport;
  close(): Promise<void>;
}

export interface TelephonyReport {
  readonly listening: readonly string[];
  readonly mediaAdapter: string;
  readonly legs: number;
  readonly transactions: number;
  readonly registrations: number;
  readonly bans: number;
  readonly streams: number;
  readonly streamCapacity: number;
}

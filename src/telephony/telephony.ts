// PORT to telephony: legs and their operations. A leg is one side of a call; it knows nothing of menus, agents or accounts. service/
// chooses the adapter: builtin/ (our SIP and media) or fake/ (for tests).

import type { CallIdentity } from './ports/call-identity.ts';
import type { PhoneStore } from './ports/phone-store.ts';
import type { SrtpMode, Trunk, TrunkCounts, TrunkLine } from './ports/trunk.ts';
import type { Watch, WatchedEvent } from './ports/watching.ts';
import type { GuestPeer } from './ports/web-phone.ts';

/** The authenticated remote side. */
export type Peer =
  /** A phone, authenticated by digest. `id` is that of its credentials. */
  | { readonly kind: 'phone'; readonly id: string }
  | { readonly kind: 'trunk'; readonly id: string }
  | GuestPeer
  /** Not authenticated, on this machine. */
  | { readonly kind: 'local' };

export interface IncomingCall {
  readonly leg: Leg;
  readonly peer: Peer;
  /** The user part of the Request-URI. */
  readonly dialled: string;
  /** Other numbers that may have been dialled, where `dialled` leads nowhere: of P-Called-Party-ID, then of To. */
  readonly alsoDialled: readonly string[];
  /** The caller's number, as far as the peer is trusted; null: withheld. */
  readonly caller: string | null;
  readonly callerName: string;
  /** What a trunk tells of the caller and of the way of the call; absent: nothing. */
  readonly identity?: CallIdentity;
  /** The Call-ID of SIP. */
  readonly callId: string;
  /** The leg whose place it is to take (INVITE with Replaces, RFC 3891): a phone's alone asks for it. Absent: none. */
  readonly replaces?: Leg;
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
    }
  | {
      /** A SIP address that is no trunk's. */
      readonly kind: 'sip';
      /** Empty: none. */
      readonly user: string;
      readonly host: string;
      /** 0: by SRV, or the transport's default. */
      readonly port: number;
      readonly transport: 'udp' | 'tcp' | 'tls';
      /** Offered: over TLS. */
      readonly srtp: Exclude<SrtpMode, 'off'>;
      /** As of a trunk. */
      readonly privateHost: boolean;
      /** Names in small letters; without control characters. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** The caller ID to present; absent: the caller's. */
      readonly shown?: string;
      readonly credentials?: { readonly username: string; readonly password: string };
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
  /** Told of the first one without room. */
  readonly full?: (quota: Quota) => void;
  /** Phones are asked to answer by themselves. */
  readonly autoAnswer?: true;
}

export interface RestoreOptions extends Pick<DialOptions, 'near' | 'quotas'> {
  /** The trunk that the leg is counted for; null: none. */
  readonly trunk: string | null;
}

export type KeySource = 'rfc4733' | 'info' | 'in-band';

export type PlayableSound =
  | { readonly kind: 'recording'; readonly sha256: string }
  | { readonly kind: 'system'; readonly prompt: string }
  /** A text that was spoken for a call. */
  | { readonly kind: 'speech'; readonly id: string }
  | {
      readonly kind: 'tone';
      readonly tone: 'missing' | 'ringback' | 'busy' | 'beep' | 'hold' | 'silence' | AnnouncedTone;
    };

/** Tones that all of a conference hear. */
export type AnnouncedTone = 'joined' | 'left' | 'notice';

export type RecordingEnd = 'silence' | 'length' | 'stopped' | 'ended';

export interface RecordOptions {
  readonly maxMs: number;
  /** Ends after so long without a sound; null: never. */
  readonly silenceMs: number | null;
  /** Its side is the second channel; it must be connected, or have been dialled near. Or the voice bot of this leg. */
  readonly with?: Leg | 'bot';
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
  /** The warning of a refusal (RFC 3261 §20.43), if the peer gave one: 300 to 399, and a text of at most 200 characters. Not trusted. */
  readonly warning?: { readonly code: number; readonly text: string };
  /** The service itself failed, its media for example: neither the peer nor the network is to blame. */
  readonly isFault?: true;
}

export interface LegStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  /** The mean delay that jitter buffers of ours added to what the peer sent; 0: none. */
  readonly bufferMs: number;
  /** Packets of the peer that came too late for them. */
  readonly packetsLate: number;
  /** As the peer's RTCP reports tell it; null: none came. */
  readonly roundTripMs: number | null;
  readonly oneWay: boolean;
  /** The encryption of its sound, the weakest that was in use; null: there was no sound. */
  readonly encryption: LegEncryption | null;
}

/** SRTP, by keys in SDP (RFC 4568) with a crypto suite, or by DTLS (RFC 5763) of a browser. */
export type LegEncryption =
  | { readonly by: 'none' }
  /** `isKeySecret`: the SDP with the keys went over TLS. */
  | { readonly by: 'sdes'; readonly suite: string; readonly isKeySecret: boolean }
  | { readonly by: 'dtls' };

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

/** The leg that a Replaces names; 'unknown': none of ours. */
export type ReplacedLeg = Leg | 'unknown';

/** What follows a REFER. */
export type TransferAnswer =
  /** The peer may not transfer, or not there: 403. */
  | 'forbidden'
  /** The call that `replaces` names is not one that it may join: 202, and 481 by NOTIFY. */
  | 'no-call'
  /** 202; it is called at once. `done`, before the peer's leg is hung up, reports success by NOTIFY; a return without it, failure. */
  | ((done: () => void) => void);

export interface LegEvents {
  ringing(): void;
  /** An outgoing leg has sound before its answer (183 with SDP), which a connected leg hears; one of several phones has none. */
  earlyMedia(): void;
  /** An outgoing leg was answered; of several phones by the first, and the others are cancelled. */
  answered(): void;
  keyPressed(key: string, source: KeySource): void;
  played(playback: number): void;
  /** The sound is not available: a short tone is played in its place, and `played` follows. */
  soundMissing(playback: number): void;
  /** The peer no longer receives: it holds us. Also when the leg begins so. */
  held(): void;
  resumed(): void;
  /** Sound goes out, none comes in. `from`: packets arrive from that address, which is not the peer's; null: none arrive. */
  oneWay(from: string | null): void;
  /** What `Leg.stored()` returns has changed: the leg is established, or its peer has another address or media. */
  changed?(): void;
  /** REFER. `replaces`: of a Refer-To with Replaces: an attended transfer, if the listener finds both legs to be the peer's. */
  transferAsked(
    dialled: string,
    replaces: ReplacedLeg | null,
    answer: (answer: TransferAnswer) => void,
  ): void;
  /** Called once, last; after `listen`, if it had ended before. The promise never rejects; when it resolves, the ladder is complete. */
  ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void;
}

/** Q.850: of a phone that rang with the one that answered. It lists no missed call. */
export const ANSWERED_ELSEWHERE = 26;

export interface Leg {
  /** The Call-ID of its dialog. Where several phones ring, that of the first of them until one answers. */
  readonly callId: string;
  /** Its peer does not receive: it holds us. Goes with the leg from call to call. */
  readonly isHeld: boolean;
  listen(events: LegEvents): void;
  /** Incoming legs: 180, so that the caller's phone plays ringback. */
  ring(): void;
  /** Incoming legs: 183, so that the caller hears before the answer what is played or connected; 180 where it cannot. Idempotent. */
  progress(): void;
  /** Incoming legs. Idempotent. */
  answer(): void;
  /** Replaces the current playback, without `played`. */
  play(playback: number, sound: PlayableSound, options?: { readonly loop?: boolean }): void;
  stopPlaying(): void;
  /** Audio and keys both ways, until either ends. While one side's peer holds, the other hears `onHold` repeated, else silence, and its keys. */
  connect(other: Leg, onHold?: PlayableSound): void;
  disconnect(): void;
  /** In place of another leg: a voice bot, by a ring of media/bots/bot-ring.ts. Null: no more. */
  linkBot(ring: SharedArrayBuffer | null): void;
  /** What the peer sends, and what the peer of `with` sends; not what we play. Ends a former recording of this leg. */
  record(options: RecordOptions, sink: RecordingSink): void;
  stopRecording(): void;
  /** Joins the conversation of `target` and the leg it is connected with. This leg must be near it. Again: changes the mode. */
  listenIn(target: Leg, mode: ListenMode): void;
  sendKeys(keys: string): void;
  /** A conference, without legs at first; it outlives this leg. `failed`: it is silent, close it. Null: the leg has ended. */
  openConference(failed: (reason: string) => void): Conference | null;
  /** The established leg as text, for another node after the death of this one; null: no other node could reach its peer. */
  stored?(): string | null;
  /** Another node has it: nothing is sent, no event follows. */
  abandon?(): void;
  /** Its messages so far, in order. An adapter without messages has none. */
  ladder?(): LegLadder;
  /** Ends the leg in any state. `cause` is Q.850; `refusal`, of the called leg, reaches a caller who was not answered. Idempotent; `ended` follows. */
  hangUp(cause?: number, refusal?: LegEnd): void;
}

/** Legs that all hear each other. They need not be near each other; one that ends leaves it. */
export interface Conference {
  /** Ends what the leg is connected with and what is played to it. */
  join(leg: Leg): void;
  leave(leg: Leg): void;
  /** What it says is not heard. */
  mute(leg: Leg, isMuted: boolean): void;
  /** `name`, µ-law at 8 kHz, follows the tone. */
  announce(tone: AnnouncedTone, name?: Uint8Array | null): void;
  /** The sum of all, one channel. Ends a former recording. */
  record(maxMs: number, sink: RecordingSink): void;
  stopRecording(): void;
  /** Its legs stay, in silence. */
  close(): void;
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
  /**
   * Before anything is kept of a call, and before its number is known: a refusal, or what its leg is counted against. `resumes`: it is to
   * replace a leg of a live call, so that limits on new ones do not refuse it.
   */
  mayCall(peer: Peer, resumes?: boolean): Refusal | readonly Quota[];
  /** Whether this node has calls that may ring that phone; absent: it may have. */
  hasCallsFor?(phone: string): boolean;
  /** This node has so many legs under the quota's key now. */
  legsCounted?(key: string, count: number): void;
  /** All credentials with this user name: several accounts may have a 1001. */
  credentialsOf(user: string): readonly Credentials[];
  /** The user name that phones with this id have now; null: there are none any more. Web pages have no password that says so. */
  phoneUser?(id: string): string | null;
  /** Those of one id, if they have this user name. */
  credentialsFor(id: string, user: string): Credentials | undefined;
  /** Bans of other nodes; absent: there is none. */
  readonly bans?: BanSharing | undefined;
  /** What the phone's account wants of SRTP; absent: 'off'. */
  srtpOf?(phone: string): SrtpMode;
  /** Where registered phones are kept across restarts; absent: nowhere. */
  readonly phones?: PhoneStore | undefined;
  /**
   * A registered phone subscribes to the state of `watched`, which it would dial. `changed` is called until the watch is closed.
   * Absent: nothing can be subscribed to.
   */
  watch?(phone: string, event: WatchedEvent, watched: string, changed: () => void): Refusal | Watch;
  /**
   * An incoming call. The returned status refuses it; null accepts it. Only called for peers on this machine, trunks and
   * authenticated phones.
   */
  called(call: IncomingCall): Refusal | null | Promise<Refusal | null>;
  /** A call of such a peer was refused for its offer: SRTP is required and not there, for example. */
  offerRefused?(call: IncomingCall, refusal: Refusal): void;
}

export interface BanSharing {
  /** This node has banned the address for so long. */
  banned(address: string, forMs: number): void;
  /** Called for each address that another node has banned. */
  follow(banned: (address: string, forMs: number) => void): void;
}

export interface Refusal {
  readonly status: number;
  /** For the record; absent: by the status. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
}

export interface PhoneBinding {
  readonly contact: string;
  readonly userAgent: string;
  readonly expiresAtMs: number;
  readonly address: string;
  /** False: it does not answer, its connection is gone, or another node has it; it is not rung from here. */
  readonly reachable: boolean;
  /** False: it does not answer the node that pings it. */
  readonly answers: boolean;
}

/**
 * Behind SIP_EDGES, how long calls are taken after OPTIONS is answered 503: a proxy that pings every second, or two, sends no more by
 * then, so that it need not try refused calls at other nodes.
 */
export const EDGE_NOTICE_MS = 3_000;

export interface Telephony {
  /** Replaces all trunks; those left out are unregistered. */
  setTrunks(trunks: readonly Trunk[]): void;
  /** Credentials changed: phones that registered with others are unregistered. */
  checkPhones(): void;
  /** Null when no phone is registered or a limit is reached. */
  dial(target: Target, options: DialOptions): Leg | null;
  /**
   * A leg of a node that died, by its `stored()`: its peer gets a re-INVITE, and `answered` or `ended` follows. Null: it cannot be read,
   * this node has it, or no port is free.
   */
  restore(stored: string, options: RestoreOptions): Leg | null;
  /** Registered phones, also those that cannot be reached. */
  phonesOf(id: string): readonly PhoneBinding[];
  trunkState(id: string): TrunkLine;
  /** Refuses new calls with 503 and Retry-After, behind SIP_EDGES after `EDGE_NOTICE_MS`. */
  drain(): void;
  /** Takes calls again, unless it is closed. */
  resume(): void;
  readonly legs: number;
  report(): TelephonyReport;
  close(): Promise<void>;
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
  /** The port for the sound of browsers; null: WEBRTC_PORT is off. */
  readonly browserPort: { readonly port: number; readonly isTaken: boolean } | null;
}

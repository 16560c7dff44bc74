// The words of a call's record. Codes are stable: clients filter by them, stored tests name them.

import type { RecordingId, Ref } from './node.ts';

export const TRAIL_CODES = [
  'call-started',
  'answered',
  'arrived',
  'playing',
  'recording-missing',
  'playback-overdue',
  'key-pressed',
  'key-ignored',
  'key-kept',
  'keys-dropped',
  'keys-typed-ahead',
  'waiting',
  'option-matched',
  'invalid-retry',
  'invalid-final',
  'timeout-retry',
  'timeout-final',
  'sms-queued',
  'sms-skipped',
  'hours-open',
  'hours-closed',
  'hours-missing',
  'destination-missing',
  'agent-blocked',
  'agent-outside-hours',
  'do-not-disturb',
  'forwarded',
  'directory-silent',
  'ringing',
  'ring-progressed',
  'early-media',
  'agent-busy',
  'agent-unreachable',
  'agent-paused',
  'ring-failed',
  'no-answer',
  'queue-joined',
  'queue-position',
  'queue-turn',
  'queue-returned',
  'queue-full',
  'queue-empty',
  'queue-timeout',
  'queue-left',
  'callback-offered',
  'callback-asked',
  'callback-refused',
  'failover',
  'hop-limit',
  'apology',
  'status-sent',
  'picked-up',
  'connected',
  'party-replaced',
  'voicemail-started',
  'voicemail-saved',
  'voicemail-empty',
  'voicemail-failed',
  'voicemail-full',
  'room-pin-wrong',
  'room-waiting',
  'room-refused',
  'variable-set',
  'variable-unset',
  'variable-refused',
  'variables-unnoted',
  'templates-cut',
  'rule-matched',
  'rules-unmatched',
  'digits-confirm',
  'digits-taken',
  'digits-again',
  'digits-failed',
  'request-sent',
  'request-answered',
  'request-failed',
  'stream-connecting',
  'stream-connected',
  'stream-refused',
  'stream-transferred',
  'stream-ended',
  'stream-failed',
  'after-call',
  'ended',
] as const;

/** Lines that a live call adds by itself; the machine does not know of them. */
export const LIVE_TRAIL_CODES = [
  'speech-failed',
  'recording-started',
  'recording-skipped',
  'party-joined',
  'party-left',
  'sharing-lost',
  'audio-one-way',
  'recovered',
  'star-code',
  'consultation-started',
  'consultation-ended',
  'queue-reason',
  'callback-attempt',
  'callback-ended',
] as const;

export type TrailCode = (typeof TRAIL_CODES)[number] | (typeof LIVE_TRAIL_CODES)[number];

/** One line of the call record: when, where, what, and why (call rule 11). */
export interface TrailEntry {
  readonly atMs: number;
  readonly node: Ref | null;
  readonly code: TrailCode;
  readonly text: string;
  readonly keys?: string;
  readonly recording?: RecordingId;
  readonly destination?: Ref;
  readonly rung?: readonly Ref[];
  readonly webhook?: string;
}

export type EndCode =
  | 'caller-hung-up'
  | 'agent-hung-up'
  | 'hang-up-reached'
  | 'busy-reached'
  | 'voicemail-left'
  | 'voicemail-empty'
  | 'voicemail-failed'
  | 'voicemail-full'
  | 'agent-blocked'
  | 'agent-outside-hours'
  | 'agent-busy'
  | 'agent-unreachable'
  | 'no-answer'
  | 'agents-unavailable'
  | 'queue-full'
  | 'queue-timeout'
  | 'callback-asked'
  | 'room-refused'
  | 'room-full'
  | 'room-closed'
  | 'room-removed'
  | 'room-failed'
  | 'destination-missing'
  | 'hop-limit'
  | 'call-limit';

/** Why a call ended: our code, and the ITU-T Q.850 cause number with its word for the telephone world. */
export interface EndReason {
  readonly code: EndCode;
  readonly cause: number;
  readonly word: string;
  readonly text: string;
}

type Ending = Omit<EndReason, 'code'>;

const ENDINGS = {
  'caller-hung-up': { cause: 16, word: 'normal-clearing', text: 'The caller hung up.' },
  'agent-hung-up': { cause: 16, word: 'normal-clearing', text: 'The called side hung up.' },
  'hang-up-reached': { cause: 16, word: 'normal-clearing', text: 'The call reached a hang-up.' },
  'busy-reached': { cause: 17, word: 'user-busy', text: 'The call reached a hang-up that says busy.' },
  'voicemail-left': { cause: 16, word: 'normal-clearing', text: 'A message was recorded.' },
  'voicemail-empty': {
    cause: 16,
    word: 'normal-clearing',
    text: 'The caller said nothing, so there is no message.',
  },
  'voicemail-failed': { cause: 41, word: 'temporary-failure', text: 'The message could not be recorded.' },
  'voicemail-full': { cause: 47, word: 'resource-unavailable', text: 'The voicemail box was full.' },
  'agent-blocked': { cause: 21, word: 'call-rejected', text: 'The agent is blocked and has no failover.' },
  'agent-outside-hours': {
    cause: 31,
    word: 'normal-unspecified',
    text: 'It is outside the agent’s hours and there is no failover.',
  },
  'agent-busy': { cause: 17, word: 'user-busy', text: 'The called side was busy and there is no failover.' },
  'agent-unreachable': {
    cause: 20,
    word: 'subscriber-absent',
    text: 'No phone could be reached and there is no failover.',
  },
  'no-answer': { cause: 19, word: 'no-answer', text: 'Nobody answered and there is no failover.' },
  'agents-unavailable': {
    cause: 20,
    word: 'subscriber-absent',
    text: 'The department has no agent to offer the call to, and no failover.',
  },
  'queue-full': { cause: 17, word: 'user-busy', text: 'The queue was full and there is no failover.' },
  'queue-timeout': {
    cause: 19,
    word: 'no-answer',
    text: 'The caller waited as long as the queue allows, and there is no failover.',
  },
  'callback-asked': {
    cause: 16,
    word: 'normal-clearing',
    text: 'The caller left the queue to be called back.',
  },
  'room-refused': {
    cause: 21,
    word: 'call-rejected',
    text: 'The caller was not let into the conference, and there is no failover.',
  },
  'room-full': {
    cause: 17,
    word: 'user-busy',
    text: 'The conference room was full and there is no failover.',
  },
  'room-closed': { cause: 16, word: 'normal-clearing', text: 'The host ended the conference.' },
  'room-removed': {
    cause: 16,
    word: 'normal-clearing',
    text: 'The caller was removed from the conference.',
  },
  'room-failed': { cause: 41, word: 'temporary-failure', text: 'The conference failed.' },
  'destination-missing': {
    cause: 1,
    word: 'unallocated-number',
    text: 'The destination does not exist.',
  },
  'hop-limit': {
    cause: 25,
    word: 'exchange-routing-error',
    text: 'Too many destinations followed each other without caller input.',
  },
  'call-limit': {
    cause: 102,
    word: 'recovery-on-timer-expiry',
    text: 'The call reached the longest time a call may last.',
  },
} as const satisfies Record<EndCode, Ending>;

export const END_CODES = Object.keys(ENDINGS) as readonly EndCode[];

/** Made once: every call ends with one of them. */
const REASONS = new Map<EndCode, EndReason>(END_CODES.map((code) => [code, { code, ...ENDINGS[code] }]));

export function endReason(code: EndCode): EndReason {
  const reason = REASONS.get(code);
  if (!reason) throw new Error(`No call ends by ${code}.`);
  return reason;
}

// An account owns everything; a token belongs to one account and sees nothing else.
import type { FailedCalls } from '../flow/flow.ts';
import type { SrtpMode } from '../kinds/trunk-choices.ts';
import type { AccountLimits } from './account-limits.ts';
import { DEFAULT_RULES, type NotificationRule } from './notification.ts';
import type { CallButton } from './phone-session.ts';
import type { ServiceLevelSeconds } from './queue-visits.ts';
import { DEFAULT_THRESHOLDS, type WallboardThresholds } from './wallboard.ts';

export const HOLD_SOUNDS = ['music', 'tone', 'silence'] as const;
export type HoldSound = (typeof HOLD_SOUNDS)[number];

/** The languages that the built-in prompts are shipped in. */
export const PROMPT_LANGUAGES = ['en', 'hi'] as const;
export type PromptLanguage = (typeof PROMPT_LANGUAGES)[number];

export interface Settings {
  /** Whether a menu's sms_template is used. */
  readonly sms_templates: boolean;
  /** Whether a reference to something that does not exist is a fault (400) instead of a warning. */
  readonly strict_references: boolean;
  /** Whether callers on this machine, known or not, may dial the account's numbers. */
  readonly loopback_calls: boolean;
  /** How long an agent's phones ring before the call counts as not answered. */
  readonly ring_seconds: number;
  /** Whether an agent who is in a call, or whose phones ring, may be offered another. */
  readonly several_calls_per_agent: boolean;
  /** Why agents pause, for choosing; a phone names one by its number in the list, from 1. */
  readonly pause_reasons: readonly string[];
  /** What the caller gets of a call that fails before anything was answered. */
  readonly failed_calls: FailedCalls;
  /** The mode for the phones of agents; a trunk has its own. */
  readonly srtp: SrtpMode;

  /** What callers hear the built-in prompts in: a language tag such as `de` (domain/built-in-prompts.ts). */
  readonly language: string;
  /** What a side of a call hears while the other one holds; of music that of the department first. */
  readonly hold_sound: HoldSound;
  /** A reference to a recording; null: the built-in music. */
  readonly music_on_hold: string | null;
  /** Whether `*80` makes the phones of colleagues answer by themselves. */
  readonly intercom_auto_answer: boolean;
  /** How many parking spots there are, from 701 on; 0: none. */
  readonly parking_spots: number;
  /** After so long a parked call rings at the agent who parked it. */
  readonly parking_seconds: number;

  /** Whether both sides of a recorded call hear a short tone, at its start and every 15 seconds. */
  readonly recording_notice_tone: boolean;
  /** Recorded calls and voicemail messages are deleted after so many days; 0: never. */
  readonly keep_recordings_days: number;
  readonly keep_voicemails_days: number;
  /** Messages that one voicemail box holds, heard ones too; a full box takes no more. */
  readonly max_voicemails: number;

  /** After so many days a call's record is deleted; 0: never. Statistics stay. */
  readonly keep_call_records_days: number;

  /** ISO 3166-1, in capitals: whose national numbers are meant (domain/numbering.ts); empty: none. */
  readonly country: string;
  /** The area code of the account's own place, for local numbers; empty: none. */
  readonly area_code: string;

  /** Outbound calls at the same time: bounds the cost of toll fraud. */
  readonly max_outbound_calls: number;
  /** Calls that may be asked for by POST /v1/click_to_call in a minute. */
  readonly clicks_per_minute: number;
  /** Call-backs that callers of all departments may ask for in an hour. */
  readonly callbacks_per_hour: number;

  /** Callers of a queue who are answered within it are answered in time. */
  readonly service_level_seconds: ServiceLevelSeconds;

  /** IANA, of the account's own place: days and hours of reports; empty: UTC. */
  readonly timezone: string;
  /** Who gets the report of each day, and of each week. */
  readonly report_daily_to: readonly string[];
  readonly report_weekly_to: readonly string[];
  /** The hour of the day after, or of Monday, at which they are sent. */
  readonly report_hour: number;
  /** Whether changes of the console to what leads calls wait in a draft until they are published. */
  readonly require_publish: boolean;

  /** After so many days entries of the audit are deleted; 0: never. */
  readonly keep_audit_days: number;

  /** From when on figures of the wallboard are coloured. */
  readonly wallboard: WallboardThresholds;
  /** Who gets which notifications. */
  readonly notification_rules: readonly NotificationRule[];
  /** Keys in web pages that visitors call by. */
  readonly call_buttons: readonly CallButton[];
}

export const DEFAULT_SETTINGS: Settings = {
  sms_templates: false,
  strict_references: false,
  loopback_calls: true,
  ring_seconds: 25,
  several_calls_per_agent: false,
  pause_reasons: [],
  failed_calls: 'status',
  srtp: 'offered',

  language: 'en' satisfies PromptLanguage,
  hold_sound: 'music',
  music_on_hold: null,
  intercom_auto_answer: true,
  parking_spots: 10,
  parking_seconds: 120,

  recording_notice_tone: true,
  keep_recordings_days: 0,
  keep_voicemails_days: 0,
  max_voicemails: 100,

  keep_call_records_days: 0,

  country: '',
  area_code: '',

  max_outbound_calls: 30,
  clicks_per_minute: 60,
  callbacks_per_hour: 100,

  service_level_seconds: 20,

  timezone: '',
  report_daily_to: [],
  report_weekly_to: [],
  report_hour: 7,
  require_publish: false,

  keep_audit_days: 365,

  wallboard: DEFAULT_THRESHOLDS,
  notification_rules: DEFAULT_RULES,
  call_buttons: [],
};

/** The settings of a new account. Accounts that exist keep what they have: for them a missing setting means the default. */
export const NEW_ACCOUNT_SETTINGS: Settings = { ...DEFAULT_SETTINGS, keep_recordings_days: 90 };

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly settings: Settings;
  readonly limits: AccountLimits;
}

/**
 * What a token may do. read: see configuration and records. draft: change the call flow in the account's draft, which a person
 * publishes. write: change configuration and records. calls: act on calls of this moment, place calls, send
 * SMS. admin: tokens, settings, the audit, and everything else.
 */
export const SCOPES = ['read', 'draft', 'write', 'calls', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function allows({ scopes }: Pick<Token, 'scopes'>, scope: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(scope);
}

/** The scopes of tokens for assistants: what they change waits until a person publishes it. */
export const ASSISTANT_SCOPES = ['read', 'draft'] as const satisfies readonly Scope[];

/** A token whose changes of the call flow go into the draft, wherever they come from. */
export function onlyDrafts(token: Pick<Token, 'scopes'>): boolean {
  return allows(token, 'draft') && !allows(token, 'write');
}

/** An access token of a program, a browser that is signed in, or a link that signs one in, once. */
export type TokenUse = 'api' | 'session' | 'link';

/** A browser of a user who proved who they are: the role alone bounds it. One that came of a token or link keeps their scopes. */
export function isUserSession({
  use,
  userId,
  parentId,
}: Pick<Token, 'use' | 'userId' | 'parentId'>): boolean {
  return use === 'session' && userId !== undefined && parentId === null;
}

export interface Token {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly use: TokenUse;
  /** The token that it was made with, or that a browser was signed in with: it ends with that one. Null: made by the operator. */
  readonly parentId: string | null;
  /** No more than the parent's. */
  readonly scopes: readonly Scope[];
  /** SHA-256 in hex. The token itself is shown once and never stored. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  /** The user that it belongs to; absent: the account as a whole. */
  readonly userId?: string;
  /** What the browser of a session called itself, shortened. */
  readonly browser?: string;
}

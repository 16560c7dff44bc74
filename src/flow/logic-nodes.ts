// Nodes that ask for digits, ask the company's system, decide, and send a text. node.ts lists them among the others.

import type { RecordingId, Ref } from './ref.ts';

export const RULE_OPERATORS = [
  'equals',
  'not_equals',
  'starts_with',
  'contains',
  'in',
  'greater',
  'less',
  'exists',
  'missing',
] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

export interface SwitchRule {
  readonly variable: string;
  readonly operator: RuleOperator;
  /** A template; `in` has values between commas. */
  readonly value: string;
  readonly destination: Ref;
}

/** Sets variables, then goes where the first rule that matches leads. */
export interface SwitchNode {
  readonly kind: 'switch';
  readonly ref: Ref;
  readonly name: string;
  readonly set: readonly { readonly variable: string; readonly value: string }[];
  readonly rules: readonly SwitchRule[];
  readonly otherwise: Ref;
}

/** An exact value, a length or a prefix; no regular expressions. */
export type AllowedDigits =
  | { readonly value: string }
  | { readonly length: number }
  | { readonly prefix: string };

/** Asks for digits as a menu asks for a key. */
export interface CollectNode {
  readonly kind: 'collect';
  readonly ref: Ref;
  readonly name: string;
  /** Null for `text` alone. */
  readonly recording: RecordingId | null;
  /** Spoken in place of the recording; a template. */
  readonly text?: string;
  readonly minDigits: number;
  readonly maxDigits: number;
  /** `#`, `*`, or empty: only the longest input or a pause ends it. */
  readonly finishKey: '#' | '*' | '';
  /** For the first key after the question, and the pause that ends the input is the account's. */
  readonly timeoutSeconds: number;
  /** Empty: anything of a fitting length. */
  readonly allowed: readonly AllowedDigits[];
  readonly attempts: number;
  /** Null if the question alone is asked again. */
  readonly invalidRecording: RecordingId | null;
  readonly timeoutRecording: RecordingId | null;
  /** Reads the digits back: 1 accepts, 2 asks again. */
  readonly confirm: boolean;
  readonly saveAs: string;
  readonly sensitive?: boolean;
  readonly next: Ref;
  readonly failed: Ref;
}

/** Sends a text and goes on. */
export interface MessageNode {
  readonly kind: 'message';
  readonly ref: Ref;
  readonly name: string;
  readonly smsTemplate: string;
  /** A template. */
  readonly to: string;
  readonly next: Ref;
}

/** Asks the company's system over HTTP. */
export interface RequestNode {
  readonly kind: 'request';
  readonly ref: Ref;
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** A template; values are percent-encoded. */
  readonly url: string;
  /** Members with templates. */
  readonly body: readonly { readonly name: string; readonly value: string }[];
  readonly timeoutMs: number;
  readonly save: readonly SavedMember[];
  readonly choices: readonly { readonly answer: string; readonly destination: Ref }[];
  /** Heard while waiting; null: the built-in tone. */
  readonly waitRecording: RecordingId | null;
  /** Opened by who performs the request; absent: it is not signed. */
  readonly sealedSecret?: string;
  readonly next: Ref;
  readonly failed: Ref;
}

export interface SavedMember {
  readonly variable: string;
  /** RFC 6901, into the answer. */
  readonly pointer: string;
}

export const SIP_TRANSPORTS = ['udp', 'tcp', 'tls'] as const;
export type SipTransport = (typeof SIP_TRANSPORTS)[number];

/** Rings a SIP address elsewhere. */
export interface SipAddressNode {
  readonly kind: 'sip-address';
  readonly ref: Ref;
  readonly name: string;
  /** A template; empty: none. */
  readonly user: string;
  readonly host: string;
  /** 0: as DNS says, or the transport's own. */
  readonly port: number;
  readonly transport: SipTransport;
  /** No call without SRTP. */
  readonly secure?: true;
  /** Values are templates. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** A template; null: the caller's number. */
  readonly callerId: string | null;
  /** Null = the account's setting. */
  readonly ringSeconds: number | null;
  readonly username?: string;
  /** Opened by who dials. */
  readonly sealedPassword?: string;
  readonly failover: Ref | null;
}

export type ThinkNode = SwitchNode | CollectNode | MessageNode | RequestNode | SipAddressNode;

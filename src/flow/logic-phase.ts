// The phases of a call at a node that asks: for digits, or a system over HTTP.

import type { SipAddressNode } from './logic-nodes.ts';
import type { Ref } from './node.ts';
import type { SystemPrompt } from './sound.ts';

/** A SIP address with the variables of the call in it. */
export interface SipCall
  extends Pick<SipAddressNode, 'user' | 'host' | 'port' | 'transport' | 'secure' | 'headers'> {
  readonly username?: string;
  readonly sealedPassword?: string;
  /** The caller ID to present; absent: the caller's number. */
  readonly shown?: string;
}

/** Why a SIP address was not rung. */
export type SipRefusal = 'host' | 'credentials';

//   ask ── key ─▶ typing ── complete ─▶ (confirm ── 1 ─▶) next
//    │ ▲             │                     │ 2, nothing
//    │ └── again ◀───┴── not allowed ◀─────┘
//    └─ no key ─▶ again, or failed when the attempts are used up
export interface AskingDigits {
  readonly name: 'digits';
  readonly node: Ref;
  readonly stage: 'ask' | 'typing' | 'again' | 'confirm';
  /** Typed so far; what is confirmed. */
  readonly keys: string;
  /** Attempts that failed. */
  readonly failures: number;
  /** 0 while nothing is played. */
  readonly playback: number;
  /** Prompts that follow. */
  readonly rest: readonly SystemPrompt[];
}

export interface Requesting {
  readonly name: 'requesting';
  readonly node: Ref;
  readonly request: number;
  /** What the caller hears while waiting; 0: nothing yet. */
  readonly playback: number;
}

export type LogicPhase = AskingDigits | Requesting;

/** Answered by request-answered. Never repeated. */
export interface SendRequest {
  readonly type: 'send-request';
  readonly request: number;
  readonly node: Ref;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON text; null: none. */
  readonly body: string | null;
  readonly timeoutMs: number;
}

export const REQUEST_FAILURES = [
  'timeout',
  'unreachable',
  'refused',
  'status',
  'too-large',
  'malformed',
  'busy',
] as const;
export type RequestFailure = (typeof REQUEST_FAILURES)[number];

/** `values`: of the members to save that the answer has, as text. */
export type RequestOutcome =
  | {
      readonly ok: true;
      readonly choice: string | null;
      readonly values: { readonly [variable: string]: string };
    }
  | { readonly ok: false; readonly failure: RequestFailure; readonly detail: string };

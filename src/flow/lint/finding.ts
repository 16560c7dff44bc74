// What the linter says. Codes are stable; docs/lint.md has a paragraph and two examples for each of them.

import type { Ref } from '../node.ts';

export const LINT_CODES = [
  'recording-missing',
  'destination-missing',
  'sms-template-missing',
  'sms-template-inactive',
  'agent-blocked',
  'dead-end',
  'menu-unreached',
  'loop-without-input',
  'option-shadowed',
  'timeout-zero-retries',
  'queue-endless',
  'hours-never-open',
  'hours-gap',
  'hours-zone-unknown',
  'webhook-missing',
  'sms-unavailable',
  'email-unavailable',
  'star-code-hidden',
  'variable-unset',
  'rule-unreachable',
  'request-fails-into-itself',
  'secret-in-url',
  'stream-without-disclosure',
  'test-failed',
] as const;

export type LintCode = (typeof LINT_CODES)[number];

export interface Finding {
  readonly code: LintCode;
  readonly severity: 'warning' | 'error';
  readonly node: Ref;
  /** Where in the record's payload, as RFC 6901 has it; empty = the record as a whole. */
  readonly pointer: string;
  readonly message: string;
}

/** What findings about the account's settings name as their node. */
export const SETTINGS_NODE = 'settings';

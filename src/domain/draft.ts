// Drafts of an account's flow: which records are collected in one, and how much.
import type { RecordKind } from './kinds.ts';

/** What calls are led by. People, sounds and lines to the outside take effect at once. */
export const DRAFTED_KINDS: ReadonlySet<RecordKind> = new Set([
  'ivr',
  'number',
  'timegroup',
  'announcement',
  'department',
  'voicemail',
  'room',
  'collect',
  'request',
  'stream',
  'switch',
  'message',
  'sip_address',
]);

/** Records of one draft. */
export const MAX_DRAFT = 100;
/** JSON of one draft, and so of one publication. */
export const MAX_PUBLISHED_BYTES = 1024 * 1024;
/** Publications that an account keeps, and can roll back. */
export const MAX_PUBLICATIONS = 50;
export const MAX_PUBLISH_REASON = 500;

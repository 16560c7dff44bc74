// What the service says, in the user's language and words: by its code, and by the sentence where that is known.
import { RECORD_KINDS, type RecordKind } from '../../../src/kinds/lists.ts';
import type { FaultCode, ProblemCode } from '../../../src/kinds/problem.ts';
import { translator } from './translator.ts';
import type { Words } from './words.tsx';

/** Codes whose sentence names nothing in particular, or speaks of HTTP: the console's own words are better, in every language. */
const GENERAL: ReadonlySet<string> = new Set<ProblemCode>([
  'http_malformed',
  'uri_malformed',
  'body_malformed',
  'body_not_utf8',
  'body_not_object',
  'body_too_deep',
  'body_too_many_values',
  'idempotency_key_malformed',
  'idempotency_key_running',
  'idempotency_key_reused',
  'if_match_malformed',
  'upload_malformed',
  'scope_missing',
  'role_refused',
  'csrf_refused',
  'method_not_allowed',
  'request_too_slow',
  'version_changed',
  'uri_too_long',
  'range_not_satisfiable',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'starting',
  'draining',
]);

/** Codes of what is chosen from a list in the console: their sentences tell how a request names a record. */
const CHOSEN: ReadonlySet<string> = new Set<FaultCode>([
  'destination_malformed',
  'recording_malformed',
  'recording_unknown_kind',
  'sms_template_malformed',
  'webhook_malformed',
]);

interface Failed {
  readonly code: string;
  readonly message: string;
}

/** The text of a request's problem. A code of a newer service has no words here. */
export function problemText({ code, message }: Failed, t: Words['t']): string {
  const key = `problem.${code as ProblemCode}` as const;
  const general = (): string => (isKnown(key, t) ? t(key) : message);
  if (GENERAL.has(code)) return general();
  const translate = translator();
  const said = code === 'still_referenced' ? inWordsOf(withoutAdvice(message), t) : withoutAdvice(message);
  return translate ? (translate(said) ?? general()) : said;
}

/** The API's words for kinds, such as `ivr "Main"`, as the console calls them. */
function inWordsOf(message: string, t: Words['t']): string {
  const kinds = RECORD_KINDS.join('|');
  return message
    .replace(/^This IVR\b/, () => `This ${inSentence(t('kit.kind.ivr'))}`)
    .replace(
      new RegExp(`(used by |", )(${kinds})(?= ")`, 'g'),
      (_, before: string, kind: RecordKind) => `${before}${inSentence(t(`kit.kind.${kind}`))}`,
    );
}

/** “Menu” → “menu”; “SMS template” stays. */
const inSentence = (word: string): string =>
  /^\p{Lu}{2}/u.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1);

/** The text of one field's fault, where it stands: without the field's name in the API, and without what was typed. */
export function faultText({ code, message }: Failed, t: Words['t']): string {
  const key = `fault.${code as FaultCode}` as const;
  if (CHOSEN.has(code)) return t(key);
  const translate = translator();
  if (!translate) return atField(message);
  return translate(message) ?? (isKnown(key, t) ? t(key) : problemText({ code, message }, t));
}

function isKnown(key: Parameters<Words['t']>[0], t: Words['t']): boolean {
  try {
    return t(key) !== '';
  } catch {
    return false;
  }
}

/** The API's advice to add ?force=true is not for users of the console: they have a button. */
export const withoutAdvice = (message: string): string => message.replace(/ Add \?force=true.*$/, '');

/** “intercom must be 2 to 10 digits; it was "7".” → “Must be 2 to 10 digits.” */
export function atField(message: string): string {
  const [, said] =
    /^[a-z][a-z0-9_]*(?: \d+)?(?: [a-z_]+)? (must (?:be|have|not)\b.*|holds .*|is missing\.)$/s.exec(
      message,
    ) ?? [];
  if (said === undefined) return message;
  if (said === 'is missing.') return 'This is required.';
  const short = said
    .replace(/; it (?:was|has) [^;]*\.$/s, '.')
    .replace(', as a number or as digits in text', '')
    .replace('; null for none', '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}

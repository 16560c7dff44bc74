// How a step is shown: its colour, and names instead of references.
import { translated } from '../../words/translator.ts';

/** The mark of a step: good, bad, the end, or plain. */
export function stepTone(code: string): 'plain' | 'key' | 'good' | 'bad' | 'end' {
  if (code === 'ended') return 'end';
  if (code.startsWith('key')) return 'key';
  if (code === 'connected' || code === 'option-matched' || code === 'voicemail-saved') return 'good';
  return BAD.some((word) => code.includes(word)) ? 'bad' : 'plain';
}

const BAD = ['missing', 'invalid', 'timeout', 'failed', 'unreachable', 'no-answer', 'limit', 'full'];

/** The service's texts contain references: shows names instead, in the user's language. */
const REFERENCE =
  /\b(?:ivr|extension|department|timegroup|announcement|voicemail|room|number|hangup)\|\|[A-Za-z0-9+*#_-]{1,64}/g;

export const withNames = (text: string, nameOf: (reference: string) => string): string =>
  translated(text).replace(REFERENCE, (reference) => `“${nameOf(reference)}”`);

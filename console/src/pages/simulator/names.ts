// Replaces references in the machine's texts by names.

import type { Named } from '../../data/names.ts';

const REFERENCE =
  /(?:ivr|extension|department|timegroup|announcement|voicemail|hangup|number)\|\|[\w.+*#-]*[\w+*#]/g;

/** The text with “Main menu” in place of ivr||main. */
export function withNames(text: string, nameOf: (reference: string) => Pick<Named, 'name'>): string {
  return text.replace(REFERENCE, (reference) => `“${nameOf(reference).name}”`);
}

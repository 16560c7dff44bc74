// THE CATALOGUE of what the service itself writes for people: mails, and headings of sheets and reports. In the language that the
// account's callers hear; a word that a language lacks does not compile. Texts of the console are its own (console/src/words).
import type { PromptLanguage } from '../account.ts';
import { shippedFor } from '../prompt-language.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';

export type Words = typeof en;

const WORDS: Readonly<Record<PromptLanguage, Words>> = { en, hi };

/** English in a language that the service does not write. */
export const wordsOf = ({ language }: { readonly language: string }): Words =>
  WORDS[shippedFor(language) ?? 'en'];

/** Width of the labels of a mail, where they are short enough. */
const LABEL = 10;
/** A line of a mail: what it is, and its value. */
export const labelled = (label: string, value: string): string => `${`${label}: `.padEnd(LABEL)}${value}`;

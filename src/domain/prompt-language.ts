// In which language callers hear the built-in prompts, and by which recordings. Apart from built-in-prompts.ts: browsers load this.
import { PROMPT_LANGUAGES, type PromptLanguage } from './account.ts';

/** The shipped language that is nearest: of hi-in it is hi. */
export const shippedFor = (language: string): PromptLanguage | null =>
  PROMPT_LANGUAGES.find((each) => each === language.split('-')[0]) ?? null;

export const isShipped = (language: string): boolean => shippedFor(language) !== null;

/** The recording that is played in place of a built-in prompt, where the account has it. */
export const promptRecordingId = (language: string, prompt: string): string => `prompt.${language}.${prompt}`;

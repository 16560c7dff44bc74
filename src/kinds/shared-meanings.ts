// Sentences that several kinds say of their members.

export const CALLED = 'What it is called in the console and in call records.';
export const NOTE = 'A note for people who configure it. Callers do not hear it.';
export const TEMPLATE = '`{name}` in it is replaced by the variable of that name.';
export const SPOKEN =
  'A text that is spoken instead of `recording`, with the variables of the call: `{name}` is replaced. The sound is kept, and spoken again only when the text differs. Where it is not spoken within 4 seconds, `recording` is played, or a short tone, and the trail says so. Null: `recording` alone.';

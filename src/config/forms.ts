// Addresses and commands as people write them into the configuration.

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'postgres:' || protocol === 'postgresql:';
}

/** A database address fit for a log: where it is and who asks, never the password, however the address is written. */
export function withoutPassword(url: string): string {
  const [beforeQuery = ''] = url.split('?');
  const at = beforeQuery.lastIndexOf('@');
  if (at < 0) return beforeQuery;
  const scheme = beforeQuery.indexOf('://');
  const from = scheme < 0 ? 0 : scheme + 3;
  const [user = ''] = beforeQuery.slice(from, at).split(':');
  return `${beforeQuery.slice(0, from)}${user}:***${beforeQuery.slice(at)}`;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

export const COMMAND_FORM =
  'a program and its arguments with spaces between them and without quotes, or a JSON list of them such as ["ffmpeg","-i","{input}"]';

/** Null if there is no command. No shell reads it, so quotes would be passed on. */
export function readCommand(text: string): Command | null {
  const [program, ...args] = text.startsWith('[') ? (jsonTexts(text) ?? []) : text.split(/\s+/);
  if (!program || (!text.startsWith('[') && /["'`]/.test(text))) return null;
  return [program, ...args].some((part) => part.includes('\0')) ? null : { program, args };
}

function jsonTexts(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : null;
  } catch {
    return null;
  }
}

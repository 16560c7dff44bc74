// SIP messages as text with headers, read as simply as a phone can afford. Not the parser of src/sip: see law.ts.

export interface SipText {
  readonly first: string;
  /** The method of a request; in a response, the method of its CSeq. */
  readonly method: string;
  readonly uri: string;
  /** Null for a request. */
  readonly status: number | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export type Headers = readonly (readonly [string, string])[];

const LONG_NAMES: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
  k: 'supported',
  r: 'refer-to',
};

export function readSip(text: string): SipText | null {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const [first = '', ...lines] = text
    .slice(0, split)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    return [LONG_NAMES[name] ?? name, line.slice(colon + 1).trim()] as const;
  });
  const [one = '', two = ''] = first.split(' ');
  const status = one === 'SIP/2.0' ? Number(two) : null;
  const cseq = headers.find(([name]) => name === 'cseq')?.[1] ?? '';
  const method = status === null ? one : (cseq.split(' ')[1] ?? '');
  return { first, method, uri: status === null ? two : '', status, headers, body: text.slice(split + 4) };
}

export function writeSip(first: string, headers: Headers, body = ''): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${first}\r\n${lines}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
}

/** The first header of that name, or ''. */
export function header(message: SipText, name: string): string {
  return message.headers.find(([one]) => one === name)?.[1] ?? '';
}

/** All values, also those that share a line. */
export function values(message: SipText, name: string): string[] {
  return message.headers.filter(([one]) => one === name).flatMap(([, value]) => splitList(value));
}

function splitList(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < value.length; i += 1) {
    const char = value.charAt(i);
    if (char === '"') quoted = !quoted;
    else if (!quoted && char === '<') depth += 1;
    else if (!quoted && char === '>') depth -= 1;
    else if (!quoted && depth === 0 && char === ',') {
      parts.push(value.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts;
}

/** Name-addr or addr-spec → the URI. */
export function uriIn(value: string): string {
  return /<([^>]*)>/.exec(value)?.[1] ?? value.split(';')[0]?.trim() ?? '';
}

/** A parameter behind the address. */
export function parameter(value: string, name: string): string | null {
  const outside = value.replace(/<[^>]*>/, '');
  for (const part of outside.split(';').slice(1)) {
    const [key = '', content = ''] = part.split('=');
    if (key.trim().toLowerCase() === name) return content.trim();
  }
  return null;
}

/** The host and port of a SIP URI, as a socket takes them. */
export function addressOf(uri: string): { readonly host: string; readonly port: number } {
  const match = /^sips?:(?:[^@]*@)?(\[[^\]]+\]|[^:;?>]+)(?::(\d+))?/i.exec(uri);
  if (match === null) throw new Error(`no SIP URI: ${uri}`);
  return { host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(match[2] ?? 5_060) };
}

/** The user part of a SIP URI. */
export function userOf(uri: string): string {
  return /^sips?:([^@;]*)@/i.exec(uri)?.[1] ?? '';
}

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** What was sent again, because its answer was late, counts once. */
export const distinct = <Message extends { readonly text: string }>(
  messages: readonly Message[],
): Message[] => [...new Map(messages.map((message) => [message.text, message])).values()];

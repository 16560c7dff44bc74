// The Reason header (RFC 3326): why a call ended, as the telephone network counts it (Q.850).
import type { Headers } from './message.ts';

/** The Q.850 cause (1 to 127) of a message, or null. */
export function q850Cause(message: { readonly headers: Headers }): number | null {
  for (const [name, value] of message.headers) {
    if (name !== 'reason') continue;
    for (const part of value.split(',')) {
      const cause = causeOf(part);
      if (cause !== null) return cause;
    }
  }
  return null;
}

function causeOf(value: string): number | null {
  const [protocol = '', ...params] = value.split(';');
  if (protocol.trim().toLowerCase() !== 'q.850') return null;
  for (const param of params) {
    const [name = '', given = ''] = param.split('=');
    if (name.trim().toLowerCase() !== 'cause') continue;
    const cause = Number(given.trim());
    return Number.isInteger(cause) && cause > 0 && cause < 128 ? cause : null;
  }
  return null;
}

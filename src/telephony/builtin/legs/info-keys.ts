// Keys in the body of an INFO request (RFC 6086), in the two forms that phones use.

const KEYS = '0123456789*#ABCD';

/** `Signal=5\r\nDuration=160` (application/dtmf-relay) or `5` alone (application/dtmf); null: no key. */
export function keyOfInfo(contentType: string, body: Buffer): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/dtmf-relay' && type !== 'application/dtmf') return null;
  for (const line of body.toString('latin1', 0, 256).split('\n')) {
    const equals = line.indexOf('=');
    if (equals < 0) {
      if (type === 'application/dtmf') return keyOf(line);
    } else if (line.slice(0, equals).trim().toLowerCase() === 'signal') {
      return keyOf(line.slice(equals + 1));
    }
  }
  return null;
}

function keyOf(text: string): string | null {
  const word = text.trim().toUpperCase();
  if (word === '10') return '*';
  if (word === '11') return '#';
  return word.length === 1 && KEYS.includes(word) ? word : null;
}

export interface SipAccount {
  readonly host: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly user: string;
}

/** RFC 3261 §25.1: characters allowed unescaped in the user and password of a SIP URI, beside letters and digits. */
const PLAIN = "-_.!~*'()&=+$,";

export function escaped(text: string): string {
  let out = '';
  for (const char of text) {
    const isPlain = /^[A-Za-z0-9]$/.test(char) || PLAIN.includes(char);
    out += isPlain ? char : encodeURIComponent(char).replaceAll("'", '%27');
  }
  return out;
}

/** RFC 3261 §19.1.1: an IPv6 address is in brackets. */
const hostPart = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export function sipUri({ host, port, transport, user }: SipAccount, password?: string): string {
  const secret = password === undefined ? '' : `:${escaped(password)}`;
  return `sip:${escaped(user)}${secret}@${hostPart(host)}:${port};transport=${transport}`;
}

/** The URI to dial from a telephone without an account. */
export const callUri = (number: string, host: string, port: number): string =>
  `sip:${escaped(number)}@${hostPart(host)}:${port}`;

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

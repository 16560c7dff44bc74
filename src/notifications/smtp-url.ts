// SMTP_URL as a value: the server that sends e-mail. Host, port, user and password, and nothing else: nodemailer would take any option of
// its own from the query of a URL, among them programs to run.

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; without it STARTTLS, where the server offers it. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

export const SMTP_URL_FORM = 'of the form smtp://user:password@host:587';

/** Null if it cannot be used. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return null;
  // Also an empty query or fragment, which the parsed URL does not show.
  if (/[?#]/.test(text) || (url.pathname !== '' && url.pathname !== '/')) return null;
  const secure = url.protocol === 'smtps:';
  // An IPv6 address stands in brackets.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const server = { host, port: Number(url.port || (secure ? 465 : 587)), secure };
  if (url.username === '' && url.password === '') return server;
  try {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
    return { ...server, auth };
  } catch {
    return null;
  }
}

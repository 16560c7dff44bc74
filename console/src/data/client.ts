// The service's API: the published client, with the session cookie instead of a token.
import { type Client, createClient, DialtreeError } from '../../../client/client.ts';

export { DialtreeError };

let account: string | null = null;
let onSignedOut: () => void = () => undefined;

/** The account of all requests. Each request names it, so that two tabs may show two accounts. */
export function askAs(accountId: string | null): void {
  account = accountId;
}

/** `listener` is called when the service no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export interface BrokenTest {
  readonly menu_name: string;
  readonly name: string;
  readonly differences: readonly string[];
}

let mayBreak: (tests: readonly BrokenTest[]) => Promise<boolean> = async () => false;

/** `ask` is called when a change would break tests of menus: whether it is to be stored all the same. */
export function whenBreaking(ask: typeof mayBreak): void {
  mayBreak = ask;
}

/** The editor of menus and the page of the draft show the tests themselves. */
const asksItself = (path: string, method: string): boolean =>
  (path.startsWith('/v1/ivr') && method !== 'DELETE') || path.startsWith('/v1/draft');

/** Sent again with skip_tests where the person wants that. */
async function orBreaking(
  answer: Response,
  path: string,
  again: (path: string) => Promise<Response>,
): Promise<Response> {
  const { Code: code, Tests: tests } = await answer.clone().json();
  if (code !== 'tests_failed' || !(await mayBreak(tests))) return answer;
  return again(`${path}${path.includes('?') ? '&' : '?'}skip_tests=true`);
}

/** Requests that say who one is: a refusal is about that, not about the session. */
const PROVING = [
  '/v1/session',
  '/v1/user_link',
  '/v1/user_link/accept',
  '/v1/session/passkey',
  '/v1/session/oidc',
  '/v1/session/oidc/link',
];

const ask: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  const asked = account;
  if (account !== null) headers.set('dialtree-account', account);
  const send = (path: typeof input) => fetch(path, { ...init, headers, credentials: 'same-origin' });
  let answer = await send(input);
  if (answer.status === 409 && !asksItself(String(input), init.method ?? 'GET'))
    answer = await orBreaking(answer, String(input), send);
  // Not for a wrong token, password or link, nor for a request of another account.
  if (
    answer.status === 401 &&
    asked !== null &&
    asked === account &&
    !(init.method === 'POST' && PROVING.some((path) => String(input).endsWith(path)))
  )
    onSignedOut();
  return answer;
};

export const client: Client<'minimal'> = createClient({ url: '', fetch: ask, prefer: 'minimal' });

/** Begins the session after the OpenID Connect provider has answered; false: it was refused. No part of the published API. */
export async function finishOidc(): Promise<boolean> {
  return (await ask('/v1/session/oidc', { method: 'POST' })).ok;
}

/** Where the provider signs in who has this invitation; null: the link was used, or the provider cannot be reached. */
export async function oidcAddressFor(code: string): Promise<string | null> {
  const answer = await ask('/v1/session/oidc/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return answer.ok ? ((await answer.json()) as { url: string }).url : null;
}

/** The URL for an <audio> element: the browser sends the cookie but not our header, so the query names the account. */
export function apiUrl(path: string): string {
  if (account === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}dialtree-account=${encodeURIComponent(account)}`;
}

/** The version is in the URL so that a browser does not play the former audio from its cache. */
export const recordingAudioUrl = (id: string, version?: number): string =>
  apiUrl(
    `/v1/recording/${encodeURIComponent(id)}/audio${version === undefined ? '' : `?version=${version}`}`,
  );

export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Following {
  readonly onEvent: (event: ServerEvent) => void;
  /** Called when the stream opens and when it is lost; off: there is none, SIP is off. */
  readonly onState?: (state: 'open' | 'lost' | 'off') => void;
  readonly signal: AbortSignal;
  readonly lastEventId?: string;
  /** Also while the page is hidden; otherwise the stream pauses until it is visible. */
  readonly unseen?: boolean;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Server-sent events, resumed after the last event id whenever the connection is lost, until the signal aborts. A browser has six
 * connections to one host: a hidden tab closes its own.
 */
export async function follow(
  path: string,
  { onEvent, onState, signal, lastEventId, unseen = false }: Following,
): Promise<void> {
  let last = lastEventId ?? '';
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    if (!unseen) await untilSeen(signal);
    if (signal.aborted) return;
    const hidden = new AbortController();
    const look = (): void => {
      if (document.hidden && !unseen) hidden.abort();
    };
    document.addEventListener('visibilitychange', look);
    try {
      const answer = await ask(path, {
        signal: AbortSignal.any([signal, hidden.signal]),
        headers: { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) },
      });
      // Signed out, not allowed, or no stream (SIP is off): a retry would not help.
      if ([401, 403].includes(answer.status)) return;
      if (answer.status === 501) return onState?.('off');
      if (answer.ok && answer.body) {
        onState?.('open');
        waitMs = FIRST_WAIT_MS;
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        const parse = eventParser((event) => {
          if (event.id !== '') last = event.id;
          onEvent(event);
        });
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parse(piece.value);
      }
    } catch {
      // Lost: reported below and retried.
    } finally {
      document.removeEventListener('visibilitychange', look);
    }
    if (signal.aborted) return;
    if (hidden.signal.aborted) continue;
    onState?.('lost');
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Parses chunks of text into whole events. */
export function eventParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let rest = '';
  let current = { id: '', event: 'message', data: '' };
  const line = (text: string): void => {
    if (text === '') {
      if (current.data !== '') onEvent({ ...current, data: current.data.slice(0, -1) });
      current = { id: '', event: 'message', data: '' };
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(text.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    if (name === 'id') current.id = value;
    else if (name === 'event') current.event = value;
    else if (name === 'data') current.data += `${value}\n`;
  };
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) line(each.endsWith('\r') ? each.slice(0, -1) : each);
  };
}

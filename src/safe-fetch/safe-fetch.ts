// Fetches a URL that a user chose (a webhook, a recording's URL) without server-side request forgery (threat T21): a name is
// resolved once, every address it has is checked, and the connection is made to a checked address, so DNS rebinding between
// two look-ups has no effect. Redirects are checked the same way.
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { lookUp } from '../names/names.ts';
import { type CheckedResponse, checkedLookup, sendChecked } from './checked-request.ts';
import { type Lookup, LookupsBusy, NameLookups } from './name-lookups.ts';
import { isOpenAddress, type Network, networkTest } from './network.ts';

const MAX_URL = 2048;
const MAX_IDLE_SOCKETS = 4;
const IDLE_MS = 5000;
const GIVEN_UP = 'It was given up.';

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** More than this is not read. */
  readonly maxBytes: number;
  /** For everything together: look-up, redirects, the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** 0 without it: a redirect is then an answer like any other. */
  readonly maxRedirects?: number;
  /** Not even where a kept connection turns out to be closed. */
  readonly sentOnce?: true;
  /** Plain http only to networks of our own, by OUTBOUND_ALLOW. */
  readonly httpsOnly?: true;
  /** Whose share of look-ups is used; left out: that of the name. */
  readonly account?: string;
}

type AddressOptions = Pick<FetchOptions, 'httpsOnly' | 'account'>;

export type FetchFault =
  /** Not http or https, with a password in it, too long, or no URL at all. */
  | 'url_refused'
  /** It leads to an address that is not on the open internet. */
  | 'address_refused'
  | 'name_unknown'
  | 'unreachable'
  | 'redirects_refused'
  | 'too_large'
  | 'timeout'
  | 'aborted';

export type Fetched =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: Buffer;
      /** Where the last redirect led. */
      readonly url: string;
    }
  | { readonly ok: false; readonly fault: FetchFault; readonly message: string };

export interface FetchParts {
  /** Networks of our own that may be reached nevertheless. */
  readonly allow: readonly Network[];
  readonly lookup?: Lookup;
}

export type FetchSafely = (url: string, options: FetchOptions) => Promise<Fetched>;

/** Where another client than this one may connect to: it must use the look-up. */
export type SafeTarget = { readonly ok: true; readonly lookup: LookupFunction } | Refused;

export interface SafeFetch {
  readonly fetchSafely: FetchSafely;
  /** Why an address that is written down now could never be fetched; null: it may be. Names are not looked up. */
  readonly refusal: (url: string) => string | null;
  /** For a WebSocket, as http or https. */
  readonly addressesFor: (url: string, options?: AddressOptions) => Promise<SafeTarget>;
  readonly close: () => void;
}

type Refused = Extract<Fetched, { ok: false }>;
const refused = (fault: FetchFault, message: string): Refused => ({ ok: false, fault, message });

const faultOfLookup = (error: unknown): readonly string[] | Refused =>
  error instanceof LookupsBusy ? refused('name_unknown', 'Too many names are being looked up.') : [];

export function makeSafeFetch({ allow, lookup = lookUp }: FetchParts): SafeFetch {
  // A connection that is kept was made to a checked address, so it may be used again.
  const settings = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_MS };
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
  const isAllowed = networkTest(allow);
  const mayReach = (address: string): boolean => isOpenAddress(address) || isAllowed(address);

  const lookups = new NameLookups(lookup);

  async function addressesOf(host: string, account = host): Promise<readonly string[] | Refused> {
    const addresses = isIP(host) ? [host] : await lookups.of(host, account).catch(faultOfLookup);
    if ('ok' in addresses) return addresses;
    if (addresses.length === 0) return refused('name_unknown', `The name ${host} is not known.`);
    return addresses.every(mayReach) ? addresses : refused('address_refused', closedMessage(host));
  }

  async function allowedFor(
    url: URL,
    { httpsOnly, account }: AddressOptions,
  ): Promise<readonly string[] | Refused> {
    const addresses = await addressesOf(hostOf(url), account);
    if ('ok' in addresses || !httpsOnly || url.protocol !== 'http:' || addresses.every(isAllowed))
      return addresses;
    return refused('url_refused', 'It must begin with https://, unless OUTBOUND_ALLOW names its network.');
  }

  async function addressesFor(text: string, options: AddressOptions = {}): Promise<SafeTarget> {
    const url = parseUrl(text);
    if ('ok' in url) return url;
    const addresses = await allowedFor(url, options);
    return 'ok' in addresses ? addresses : { ok: true, lookup: checkedLookup(addresses) };
  }

  async function attempt(start: URL, options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
    let url = start;
    let request = options;
    for (let redirects = 0; ; redirects++) {
      const addresses = await allowedFor(url, options);
      if ('ok' in addresses) return addresses;
      if (signal.aborted) return refused('aborted', GIVEN_UP);
      const answer: CheckedResponse = await sendChecked({ url, addresses, agents, ...request, signal });
      if ('fault' in answer) return refused(answer.fault, answer.message);
      const { location } = answer.headers;
      if (!isRedirect(answer.status) || location === undefined || !options.maxRedirects)
        return { ok: true, ...answer, url: url.href };
      if (redirects >= options.maxRedirects)
        return refused('redirects_refused', `It redirects more than ${options.maxRedirects} times.`);
      const next = parseUrl(location, url);
      if ('ok' in next) return next;
      if (url.protocol === 'https:' && next.protocol === 'http:')
        return refused('redirects_refused', 'It redirects from https to http.');
      request = redirectedRequest(request, answer.status, url, next);
      url = next;
    }
  }

  async function fetchSafely(text: string, options: FetchOptions): Promise<Fetched> {
    const url = parseUrl(text);
    if ('ok' in url) return url;
    return inTime(options, (signal) => attempt(url, options, signal));
  }

  function refusal(text: string): string | null {
    const url = parseUrl(text);
    if ('ok' in url) return url.message;
    const host = hostOf(url);
    return isIP(host) && !mayReach(host) ? closedMessage(host) : null;
  }

  return {
    fetchSafely,
    refusal,
    addressesFor,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Also ends the wait for a DNS look-up that gets no answer. */
async function inTime(
  { timeoutMs, signal }: Pick<FetchOptions, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Fetched>,
): Promise<Fetched> {
  const stop = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, timeoutMs);
  const giveUp = (): void => stop.abort();
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  const stopped = new Promise<Refused>((resolve) => {
    const report = (): void =>
      resolve(
        late
          ? refused('timeout', `It took longer than ${timeoutMs / 1000} s.`)
          : refused('aborted', GIVEN_UP),
      );
    stop.signal.addEventListener('abort', report, { once: true });
    if (stop.signal.aborted) report();
  });
  try {
    return await Promise.race([stopped, work(stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

const closedMessage = (host: string): string =>
  `${host} is not on the open internet; OUTBOUND_ALLOW can name networks that may be reached nevertheless.`;

/** WHATWG URL turns 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1 before it is checked. */
function parseUrl(text: string, base?: URL): URL | Refused {
  if (text.length > MAX_URL) return refused('url_refused', `It is longer than ${MAX_URL} characters.`);
  if (!URL.canParse(text, base?.href)) return refused('url_refused', 'It is not a URL.');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refused('url_refused', 'It must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    return refused('url_refused', 'It must hold no user name and no password.');
  return url;
}

function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIPv6(bare) ? bare : hostname;
}

const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

/** RFC 9110 §15.4: all but 307 and 308 become a GET. What was meant for one host is not shown to another. */
function redirectedRequest(request: FetchOptions, status: number, from: URL, to: URL): FetchOptions {
  const { body, method = 'GET', headers = {}, ...rest } = request;
  const sameOrigin = from.origin === to.origin;
  const kept = Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => sameOrigin || !['authorization', 'cookie'].includes(name.toLowerCase()),
    ),
  );
  if (status === 307 || status === 308)
    return { ...rest, method, headers: kept, ...(body === undefined ? {} : { body }) };
  return { ...rest, method: method === 'HEAD' ? 'HEAD' : 'GET', headers: kept };
}

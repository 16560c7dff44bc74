// One request to addresses that were checked before, and its answer, which is never larger than it may be.
import { type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';

export interface CheckedRequest {
  readonly url: URL;
  /** The only ones that are connected to. */
  readonly addresses: readonly string[];
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** It may have been received where the connection broke: it is not sent again. */
  readonly sentOnce?: true;
}

export type CheckedResponse =
  | { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer }
  | { readonly fault: 'unreachable' | 'too_large'; readonly message: string };

/** Resolves every name to the checked addresses, whatever DNS says by now. */
export function checkedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, callback) => {
    const [first] = all;
    if (options.all || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

export async function sendChecked(input: CheckedRequest): Promise<CheckedResponse> {
  const answer = await once(input);
  // The peer closed an idle connection just as we took it up again: that says nothing of the peer, so once more.
  return answer === 'stale' && !input.sentOnce ? asAnswer(await once(input)) : asAnswer(answer);
}

const asAnswer = (answer: CheckedResponse | 'stale'): CheckedResponse =>
  answer === 'stale' ? { fault: 'unreachable', message: 'The connection was closed.' } : answer;

function once(input: CheckedRequest): Promise<CheckedResponse | 'stale'> {
  const { url, addresses, agents, method = 'GET', headers = {}, body, maxBytes, signal } = input;
  const secure = url.protocol === 'https:';
  return new Promise((resolve) => {
    const settings = {
      method,
      // Host, and the name that the certificate must have, stay those of the URL.
      headers: { 'accept-encoding': 'identity', ...headers, host: url.host, ...lengthOf(body) },
      lookup: checkedLookup(addresses),
      signal,
    };
    const request = secure
      ? httpsRequest(url, { ...settings, agent: agents.https })
      : httpRequest(url, { ...settings, agent: agents.http });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      resolve(stale ? 'stale' : { fault: 'unreachable', message: reasonOf(error) });
    });
    request.on('response', (response) => resolve(collected(response, maxBytes)));
    request.end(body);
  });
}

function lengthOf(body: string | Uint8Array | undefined): { 'content-length'?: number } {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

function collected(response: IncomingMessage, maxBytes: number): Promise<CheckedResponse> {
  const { statusCode: status = 0, headers } = response;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const tooLarge = (): void => {
      resolve({ fault: 'too_large', message: `The answer is larger than ${maxBytes} bytes.` });
      response.destroy();
    };
    response.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > maxBytes) tooLarge();
      else pieces.push(piece);
    });
    response.on('end', () => resolve({ status, headers, body: Buffer.concat(pieces) }));
    response.on('error', (error) => resolve({ fault: 'unreachable', message: reasonOf(error) }));
    response.on('close', () => resolve({ fault: 'unreachable', message: 'The connection was closed.' }));
    if (Number(headers['content-length'] ?? 0) > maxBytes) tooLarge();
  });
}

/** Node's messages name internal addresses, which must not leak: the code is enough. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const { code } = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  switch (code) {
    case 'ECONNREFUSED':
      return 'The connection was refused.';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection was closed.';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return 'The host cannot be reached.';
    default:
      return `The request failed${typeof code === 'string' ? ` (${code})` : ''}.`;
  }
}

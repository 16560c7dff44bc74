// A typed client of Dialtree's HTTP API: one function for each operation, made from the OpenAPI document (operations.ts). It needs
// nothing but fetch, so it runs in Node 20 and later, Bun, Deno and browsers.
import { Answer, type Answered, answered } from './answer.ts';
import { OPERATIONS, type Operations, type Page } from './operations.ts';

export type { Answer, Answered } from './answer.ts';
/** The records, bodies and events by name: `Ivr`, `IvrInput`, `CallEndedEvent` … */
export type * from './operations.ts';

export interface ClientOptions {
  /** Where the service is, such as http://localhost:8080. */
  readonly url: string;
  /** Left out in the console, where the browser's cookie identifies the account. */
  readonly token?: string | undefined;
  /** How often a request is sent at most when the service is overloaded or being restarted; 3 unless said otherwise. */
  readonly attempts?: number;
  readonly fetch?: typeof fetch;
}

/**
 * What creations and changes return. `representation`, unless said otherwise: the record as a GET shows it, with its id and whatever is
 * shown once. `minimal`: Success and Message, with their warnings.
 */
export type Prefer = 'representation' | 'minimal';

type Name = keyof Operations;
/** A member that may be left out when nothing in it is required. */
type Part<Key extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

export interface RequestOptions {
  /** The same key and body get the first answer again: a creation that is repeated creates once. */
  readonly idempotencyKey?: string;
  /** The ETag that a change is based on. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Input<N extends Name> = Part<'params', Operations[N]['params']> &
  Part<'query', Operations[N]['query']> &
  Part<'body', Operations[N]['body']> &
  RequestOptions;
export type Output<N extends Name, P extends Prefer = 'representation'> = P extends 'minimal'
  ? Operations[N]['answer']
  : Operations[N] extends { record: infer Item }
    ? Item
    : Operations[N]['answer'];

/** Without arguments where nothing is required. */
type Call<N extends Name, P extends Prefer> =
  Record<never, never> extends Input<N>
    ? (input?: Input<N>) => Answer<Output<N, P>>
    : (input: Input<N>) => Answer<Output<N, P>>;

export type Client<P extends Prefer = 'representation'> = { readonly [N in Name]: Call<N, P> };

/** What went wrong, as the service says it. */
export class DialtreeError extends Error {
  readonly status: number;
  /** A stable word, such as `fields_invalid`; docs/errors.md explains each. */
  readonly code: string;
  readonly errors: readonly { readonly Pointer: string; readonly Code: string; readonly Message: string }[];
  readonly requestId: string;
  /** Such as `retry-after`. */
  readonly headers: Headers;

  constructor(status: number, body: Failure, headers = new Headers()) {
    super(body.Message ?? `The service answered ${status}.`);
    this.name = 'DialtreeError';
    this.status = status;
    this.code = body.Code ?? 'unknown';
    this.errors = body.Errors ?? [];
    this.requestId = body.RequestId ?? headers.get('x-request-id') ?? '';
    this.headers = headers;
  }
}

interface Failure {
  readonly Message?: string;
  readonly Code?: string;
  readonly Errors?: DialtreeError['errors'];
  readonly RequestId?: string;
}

/** As the operation table has it: method, path, and how the answer is read. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly answer: 'json' | 'text' | 'response';
  /** Whether it can answer with a record. */
  readonly record?: boolean;
}

interface Asked extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function createClient<P extends Prefer = 'representation'>(
  options: ClientOptions & { readonly prefer?: P },
): Client<P> {
  const entries = Object.entries(OPERATIONS).map(([name, operation]) => [
    name,
    (input: Asked = {}) => new Answer(send(options, operation as Operation, input)),
  ]);
  return Object.fromEntries(entries) as Client<P>;
}

/** Any operation whose answer is a page. */
type List = (input: never) => PromiseLike<Page<unknown>>;
type InputOf<L extends List> = NonNullable<Parameters<L>[0]>;
type ItemOf<L extends List> = Awaited<ReturnType<L>>['data'][number];
type Filters<L extends List> =
  InputOf<L> extends { query?: infer Query } ? Omit<NonNullable<Query>, 'cursor'> : never;
type Rest<L extends List> = Omit<InputOf<L>, 'query'>;

/**
 * Every item of a list, page by page, as far as it is read: `all(dialtree.listNumbers, { q: '49' })`. `rest` is what the list takes
 * beside its query, such as `{ params: { id: 'main' } }`.
 */
export async function* all<L extends List>(
  list: L,
  query?: Filters<L>,
  ...[rest]: Record<never, never> extends Rest<L> ? [rest?: Rest<L>] : [rest: Rest<L>]
): AsyncGenerator<ItemOf<L>> {
  for (let cursor: string | undefined; ; ) {
    const input = { ...rest, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } };
    const page = await list(input as never);
    yield* page.data as ItemOf<L>[];
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

type SendOptions = ClientOptions & { readonly prefer?: Prefer };

async function send(options: SendOptions, operation: Operation, input: Asked): Promise<Answered<unknown>> {
  const { attempts = 3, fetch: ask = fetch } = options;
  const request = requestOf(options, operation, input);
  // What may be sent again without harm: reads, what carries a key, and replacements and deletions.
  const repeatable = operation.method !== 'POST' || input.idempotencyKey !== undefined;
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(request.url, request.init);
    // "Unchanged" has no body that could be read as the answer's type.
    if (answer.ok || (answer.status === 304 && operation.answer === 'response'))
      return answered(answer, await read(answer, operation.answer));
    const later = answer.status === 429 || answer.status === 503;
    if (!later || !repeatable || attempt >= attempts) throw await failureOf(answer);
    await answer.body?.cancel();
    await wait(Number(answer.headers.get('retry-after') ?? 1), input.signal);
  }
}

function requestOf(options: SendOptions, { method, path, record }: Operation, input: Asked) {
  const { url, token, prefer = 'representation' } = options;
  const { params = {}, query = {}, body, idempotencyKey, ifMatch, signal, headers } = input;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData;
  return {
    url: `${url.replace(/\/$/, '')}${address}${search.size > 0 ? `?${search}` : ''}`,
    init: {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        // RFC 7240
        ...(record && prefer === 'representation' ? { prefer: 'return=representation' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    },
  };
}

async function read(answer: Response, how: Operation['answer']): Promise<unknown> {
  if (how === 'response') return answer;
  return how === 'json' ? answer.json() : answer.text();
}

async function failureOf(answer: Response): Promise<DialtreeError> {
  const text = await answer.text();
  try {
    return new DialtreeError(answer.status, JSON.parse(text) as Failure, answer.headers);
  } catch {
    // Not ours: a proxy in between has answered, or there is nothing to say.
    return new DialtreeError(
      answer.status,
      text === '' ? {} : { Message: text.slice(0, 200) },
      answer.headers,
    );
  }
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = Math.min(Math.max(Number.isFinite(seconds) ? seconds : 1, 0), 60) * 1000;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

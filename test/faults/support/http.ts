// One request over node:http on kept connections. A failure of the connection is a value: these suites cause them.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { TOKEN } from '../../support/service.ts';

export interface Answer {
  /** 0 when no whole answer came. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Why no answer came: an error code, or 'late'. */
  readonly failed?: string;
  readonly startedMs: number;
  readonly tookMs: number;
}

export interface Asking {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

export const keepAlive = (connections: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: connections });

export function ask(agent: Agent, url: string, path: string, asking: Asking = {}): Promise<Answer> {
  const { method = 'GET', body, headers = {}, limitMs = 15_000 } = asking;
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const settle = (part: Partial<Answer>): void => {
      clearTimeout(late);
      resolve({
        status: 0,
        headers: {},
        text: '',
        startedMs,
        tookMs: performance.now() - startedMs,
        ...part,
      });
    };
    const sent = request(
      url + path,
      {
        agent,
        method,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', (error: NodeJS.ErrnoException) =>
          settle({ failed: error.code ?? error.message }),
        );
        response.on('end', () => {
          if (!response.complete) return settle({ failed: 'cut off' });
          settle({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          });
        });
      },
    );
    const late = setTimeout(() => {
      settle({ failed: 'late' });
      sent.destroy();
    }, limitMs);
    sent.on('error', (error: NodeJS.ErrnoException) => settle({ failed: error.code ?? error.message }));
    sent.end(body);
  });
}

/** What is wrong with a refusal, or null: it must say so in the one failure body, and when to come back. */
export function faultOfRefusal({ headers, text }: Pick<Answer, 'headers' | 'text'>): string | null {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return `not JSON: ${text.slice(0, 100)}`;
  }
  if (body['Success'] !== false) return 'Success is not false';
  for (const member of ['Message', 'Code', 'RequestId']) {
    if (typeof body[member] !== 'string' || body[member] === '') return `no ${member}`;
  }
  return /^\d+$/.test(headers['retry-after'] ?? '') ? null : 'no Retry-After';
}

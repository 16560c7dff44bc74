// Requests below fetch: many on kept connections, and bytes that no HTTP client would send.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { TOKEN } from '../../support/service.ts';

export interface WireReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client that keeps its connections, for thousands of requests. */
export class Client {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  send(method: string, path: string, body: string | Buffer | null = null, more = {}): Promise<WireReply> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(body === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url + path, { method, headers, agent: this.#agent }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const { statusCode: status = 0, rawHeaders } = response;
          resolve({ status, headers: headersOf(rawHeaders), text });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}

/** Runs the work over the items, so many at a time, and hands back the results in the items' order. */
export async function inParallel<T, R>(
  width: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

export function openSocket(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends bytes as they are and reads one answer; `end` closes our half after them. */
export async function roundTrip(
  url: string,
  bytes: string,
  { end = false }: { end?: boolean } = {},
): Promise<WireReply> {
  const socket = await openSocket(url);
  try {
    socket.write(bytes, 'latin1');
    if (end) socket.end();
    return await readReply(socket);
  } finally {
    socket.destroy();
  }
}

/** One answer off a socket: whole when its length, its last chunk or the end of the connection says so. */
export function readReply(socket: Socket): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    let got = '';
    const finish = (ended: boolean): void => {
      const reply = parse(got, ended);
      if (reply) resolve(reply);
      else if (ended) reject(new Error(`The connection ended without a whole answer: "${got}"`));
    };
    socket.on('data', (part) => {
      got += part.toString('utf8');
      finish(false);
    });
    socket.on('close', () => finish(true));
    socket.on('error', () => finish(true));
  });
}

function parse(got: string, ended: boolean): WireReply | null {
  const split = got.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const [statusLine = '', ...lines] = got.slice(0, split).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = got.slice(split + 4);
  if (headers.get('transfer-encoding') === 'chunked') {
    if (!body.endsWith('0\r\n\r\n')) return null;
    return { status, headers, text: body.replace(/(^|\r\n)[0-9a-f]+\r\n/gi, '').replace(/\r\n$/, '') };
  }
  const length = Number(headers.get('content-length') ?? 0);
  if (Buffer.byteLength(body) < length && !ended) return null;
  return { status, headers, text: body };
}

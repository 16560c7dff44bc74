// Requests to an S3-compatible server: signed, with connections that stay open, time-outs, and a few attempts. The operator chose the
// server, so its address may be private. Neither the secret nor what the server quotes of a request gets into an error.
import { createReadStream } from 'node:fs';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../../storage/storage.ts';
import { amzDate, authorization, sha256 } from './sigv4.ts';

const MAX_SOCKETS = 32;
/** Without a byte in either direction. */
const IDLE_MS = 10_000;
/** The time limit of one whole request: a recording of 100 MB at 200 kB/s. */
const WHOLE_MS = 10 * 60_000;
/** Waits before the second and the third attempt. */
const PAUSES_MS = [250, 1_000];
const MAX_ERROR_BYTES = 8 * 1024;
const NO_BODY = sha256('');

export interface S3Access {
  /** Such as https://s3.example.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Encoded, with the bucket. */
  readonly path: string;
  readonly range?: string;
  readonly file?: { readonly path: string; readonly bytes: number; readonly sha256: string };
  readonly signal?: AbortSignal;
}

export interface S3Response {
  readonly status: number;
  readonly length: number;
  /** Must be read, or destroyed. */
  readonly body: IncomingMessage;
}

export class S3Client {
  readonly #access: S3Access;
  readonly #endpoint: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #idleMs: number;

  constructor(access: S3Access, idleMs = IDLE_MS) {
    this.#access = access;
    this.#endpoint = new URL(access.endpoint);
    this.#idleMs = idleMs;
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 4 };
    this.#agent = this.#isTls ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** A response of the 2xx, or null for 404. */
  async ask(request: S3Request): Promise<S3Response | null> {
    for (let attempt = 0; ; attempt++) {
      const pauseMs = PAUSES_MS[attempt];
      try {
        const response = await this.#send(request);
        const { status } = response;
        if (status >= 200 && status < 300) return response;
        const code = await errorCodeOf(response);
        if (status === 404 && code !== 'NoSuchBucket') return null;
        const isPassing = status >= 500 || status === 429 || status === 408;
        if (!isPassing || pauseMs === undefined) throw refused(request, status, code);
      } catch (error) {
        if (error instanceof StorageError) throw error;
        if (request.signal?.aborted || pauseMs === undefined) throw away(request, error);
      }
      await sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  get #isTls(): boolean {
    return this.#endpoint.protocol === 'https:';
  }

  #send({ method, path, range, file, signal }: S3Request): Promise<S3Response> {
    const payloadHash = file?.sha256 ?? NO_BODY;
    const signed = {
      host: this.#endpoint.host,
      'x-amz-content-sha256': payloadHash,
      'x-amz-date': amzDate(Date.now()),
    };
    const key = { ...this.#access, service: 's3' };
    const headers = {
      ...signed,
      authorization: authorization({ method, path, headers: signed, payloadHash }, key),
      ...(range === undefined ? {} : { range }),
      ...(method === 'PUT'
        ? { 'content-length': String(file?.bytes ?? 0), 'content-type': 'audio/wav' }
        : {}),
    };
    const deadline = AbortSignal.timeout(WHOLE_MS);
    return new Promise<S3Response>((resolve, reject) => {
      const request = (this.#isTls ? requestHttps : requestHttp)(this.#endpoint, {
        agent: this.#agent,
        method,
        path,
        headers,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      request.setTimeout(this.#idleMs, () => request.destroy(new Error('The server does not answer.')));
      request.on('error', reject);
      request.on('response', (body) => {
        // 204 and answers to HEAD have none; the connection is free when it has ended.
        const status = body.statusCode ?? 0;
        if (method === 'HEAD' || status === 204) body.resume();
        resolve({ status, length: Number(body.headers['content-length'] ?? 0), body });
      });
      if (!file || file.bytes === 0) return void request.end();
      // No further than was hashed.
      const content = createReadStream(file.path, { end: file.bytes - 1 });
      content.on('error', (error) => request.destroy(error));
      request.on('close', () => content.destroy());
      content.pipe(request);
    });
  }
}

/** Such as AccessDenied; the rest of the body may quote the request. */
async function errorCodeOf({ body }: S3Response): Promise<string> {
  let text = '';
  try {
    for await (const piece of body) {
      text += String(piece);
      if (text.length > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  body.destroy();
  const code = text.split('<Code>', 2)[1]?.split('<', 1)[0] ?? '';
  return /^[A-Za-z]{1,64}$/.test(code) ? code : '';
}

const SHOWN = { shown: 'The store of recorded sound does not answer; repeat the request shortly.' };

const refused = ({ method }: S3Request, status: number, code: string): StorageError =>
  new StorageError(
    'unavailable',
    `The S3 server answered ${`${status} ${code}`.trim()} to ${method}.`,
    SHOWN,
  );

const away = ({ method }: S3Request, error: unknown): StorageError =>
  new StorageError('unavailable', `The S3 server failed at ${method}: ${(error as Error).message}`, {
    ...SHOWN,
    cause: error,
  });

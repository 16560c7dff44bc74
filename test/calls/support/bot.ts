// A voice bot for tests: a WebSocket server that keeps what it is sent and does what its path says.
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../../support/phone/eventually.ts';
import { compress, expand } from '../../support/phone/law.ts';
import type { Json } from '../../support/service.ts';

export interface BotCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: WebSocket;
  readonly messages: Json[];
  closed: { readonly code: number } | null;
}

/** What a bot does, by its path. */
export type Behaviour = (call: BotCall, message: Json) => void;

export class Bot {
  readonly calls: BotCall[] = [];
  readonly #server: WebSocketServer;
  readonly #behaviours: Readonly<Record<string, Behaviour>>;

  static async open(behaviours: Readonly<Record<string, Behaviour>>): Promise<Bot> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await new Promise((resolve) => server.once('listening', resolve));
    return new Bot(server, behaviours);
  }

  private constructor(server: WebSocketServer, behaviours: Readonly<Record<string, Behaviour>>) {
    this.#server = server;
    this.#behaviours = behaviours;
    server.on('connection', (socket, request) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const { headers } = request;
      const call: BotCall = { path, headers, socket, messages: [], closed: null };
      this.calls.push(call);
      socket.on('error', () => undefined);
      socket.on('close', (code) => {
        call.closed = { code };
      });
      socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        call.messages.push(message);
        this.#behaviours[path]?.(call, message);
      });
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The last call at the path; waits for it. */
  call(path: string): Promise<BotCall> {
    return eventually(
      () => this.calls.findLast((each) => each.path === path),
      {},
      () => `nobody called ${path}`,
    );
  }

  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export const eventsOf = (call: BotCall, event: string): Json[] =>
  call.messages.filter((message) => message.event === event);

/** Waits for a message that fits. */
export const received = (call: BotCall, event: string, fits: (message: Json) => boolean = () => true) =>
  eventually(
    () => eventsOf(call, event).find(fits),
    { withinMs: 30_000 },
    () => `no ${event} came, but ${[...new Set(call.messages.map((each) => each.event))].join(', ')}`,
  );

export const send = (call: BotCall, event: string, members: object = {}): void => {
  const { streamSid } = call.messages.find((each) => each.event === 'start') ?? {};
  call.socket.send(JSON.stringify({ event, streamSid, ...members }));
};

export function toneAudio(hz: number, ms: number): Buffer {
  return Buffer.from(
    Array.from({ length: ms * 8 }, (_, at) =>
      compress('pcmu', 8_000 * Math.sin((2 * Math.PI * hz * at) / 8_000)),
    ),
  );
}

/** In pieces of that many bytes. */
export function say(call: BotCall, audio: Buffer, pieceBytes = audio.length): void {
  for (let at = 0; at < audio.length; at += pieceBytes)
    send(call, 'media', { media: { payload: audio.subarray(at, at + pieceBytes).toString('base64') } });
}

/** Whether most of the audio, in base64, is that tone. */
export function isTone(payload: string, wanted: number): boolean {
  const samples = [...Buffer.from(payload, 'base64')].map((byte) => expand('pcmu', byte));
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0);
  const turn = (2 * Math.PI * wanted) / 8_000;
  const real = samples.reduce((sum, sample, at) => sum + sample * Math.cos(turn * at), 0);
  const imaginary = samples.reduce((sum, sample, at) => sum + sample * Math.sin(turn * at), 0);
  return power > 1e6 && (2 * (real * real + imaginary * imaginary)) / samples.length > 0.7 * power;
}

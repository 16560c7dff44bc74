// A receiver of webhooks on this machine: it keeps what came, checks its signature, and answers as a test says.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../src/kit/webhook-signature.ts';
import type { Json } from './service.ts';

export interface Delivered {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: Json;
}

export interface Receiver {
  readonly url: string;
  readonly deliveries: Delivered[];
  /** What it answers; null: nothing at all. */
  answer: (delivered: Delivered) => number | null | Promise<number | null>;
  /** Waits until so many came that fit. */
  until(count: number, fits?: (delivered: Delivered) => boolean, ms?: number): Promise<Delivered[]>;
  close(): Promise<void>;
}

/** The environment that lets a service reach it. */
export const REACHABLE = { OUTBOUND_ALLOW: '127.0.0.0/8' };

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivered[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const delivered = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        event: JSON.parse(text) as Json,
      };
      deliveries.push(delivered);
      void Promise.resolve(receiver.answer(delivered)).then((status) => {
        if (status !== null) response.writeHead(status).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    answer: () => 204,
    async until(count, fits = () => true, ms = 30_000) {
      const deadline = performance.now() + ms;
      for (;;) {
        const found = deliveries.filter(fits);
        if (found.length >= count) return found;
        if (performance.now() > deadline)
          throw new Error(`Only ${found.length} of ${count} deliveries came: ${types(deliveries)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export const types = (deliveries: readonly Delivered[]): string =>
  deliveries.map(({ event }) => event.type).join(' ');

export const isSigned = ({ headers, text }: Delivered, secret: string): boolean =>
  verifyWebhook({ secret, headers, body: text }).ok;

// Streams without calls: the thread of the bots, WebSocket servers for it, and what a media worker would do with the ring.
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { BotEvents, BotStream, WantedBot } from '../../calls/bots/bot-streams.ts';
import type { StreamOutcome } from '../../flow/stream-phase.ts';
import { CallerEnd } from '../../media/bots/bot-ring.ts';
import { parseNetwork } from '../../safe-fetch/network.ts';
import { BotThread, type BotThreadParts } from '../bot-thread.ts';

export function openThread(parts: Partial<BotThreadParts> = {}): BotThread {
  const loopback = parseNetwork('127.0.0.0/8');
  return new BotThread({
    allow: loopback ? [loopback] : [],
    headersOf: () => ({ 'x-test': 'yes' }),
    died: () => undefined,
    ...parts,
  });
}

export interface BotServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function openBot(connected: (socket: WebSocket) => void): Promise<BotServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    connected(socket);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface TestStream extends BotStream {
  readonly caller: CallerEnd;
  readonly opened: Promise<void>;
  readonly ended: Promise<StreamOutcome>;
  readonly transfers: string[];
  readonly variables: Record<string, string>[];
}

export function openStream(thread: BotThread, url: string, more: Partial<WantedBot> = {}): TestStream {
  const transfers: string[] = [];
  const variables: Record<string, string>[] = [];
  let events: BotEvents | undefined;
  const ended = new Promise<StreamOutcome>((end) => {
    events = {
      opened: () => isOpen(),
      transfer: (destination) => transfers.push(destination),
      setVariables: (values) => variables.push({ ...values }),
      ended: end,
    };
  });
  let isOpen: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  if (!events) throw new Error('a promise runs its function at once');
  const stream = thread.open(
    {
      accountId: 'account',
      callId: 'call',
      id: 'stream',
      url,
      parameters: {},
      sealedSecret: null,
      caller: '+4930',
      dialled: '100',
      ...more,
    },
    events,
  );
  return { ...stream, caller: new CallerEnd(stream.ring), opened, ended, transfers, variables };
}

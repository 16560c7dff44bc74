// INVITEs as fast as they are asked for, from many addresses of another namespace. What came back is one line of JSON.
import { createSocket, type Socket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { requestText } from './sip-probe.ts';

export interface FloodQuestion {
  readonly server: { readonly host: string; readonly port: number };
  readonly hosts: readonly string[];
  readonly perSecond: number;
  /** At least so many; then until this file is there. */
  readonly least: number;
  readonly until: string;
}

export interface FloodAnswer {
  readonly sent: number;
  readonly answered: number;
}

const TICK_MS = 5;

async function main(): Promise<void> {
  const { server, hosts, perSecond, least, until } = JSON.parse(process.argv[2] ?? '') as FloodQuestion;
  let sent = 0;
  let answered = 0;
  const sockets = await Promise.all(
    hosts.map(async (host) => {
      const socket = createSocket('udp4');
      await new Promise<void>((resolve) => socket.bind(0, host, resolve));
      socket.on('message', () => {
        answered += 1;
      });
      return { socket, place: { host, port: socket.address().port } };
    }),
  );
  const startMs = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    if (sent >= least && existsSync(until)) break;
    for (const dueNow = (elapsedMs * perSecond) / 1_000; sent < dueNow; sent += 1) {
      const from = sockets[sent % sockets.length];
      if (from !== undefined) flood(from.socket, requestText('INVITE', server, from.place), server);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answer: FloodAnswer = { sent, answered };
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
}

function flood(socket: Socket, text: string, to: { readonly host: string; readonly port: number }): void {
  socket.send(text, to.port, to.host);
}

void main();

// Transports on loopback for tests: opened, listened to, and closed when the test ends.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SipMessage } from '../message.ts';
import { writeResponse } from '../response.ts';
import { TimerWheel } from '../timers.ts';
import type { Protocol, TransportFlow } from '../transports/transport.ts';
import { openTransports, type SipTransports, type TransportsOptions } from '../transports/transports.ts';

export const cleanUp: (() => unknown)[] = [];

export async function cleanUpAll(): Promise<void> {
  for (const each of cleanUp.splice(0).reverse()) await each();
}

export function listenOn(protocol: Protocol, host = '127.0.0.1', port = 0) {
  return { protocol, host, port, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' };
}

export interface Heard {
  readonly messages: SipMessage[];
  readonly flows: TransportFlow[];
  readonly closed: TransportFlow[];
}

export async function open(
  protocol: Protocol,
  options: Partial<TransportsOptions> = {},
): Promise<{ transports: SipTransports; heard: Heard; port: number }> {
  const transports = await openTransports({
    listen: [listenOn(protocol)],
    timers: new TimerWheel(() => {}),
    failed: (error) => {
      throw error;
    },
    ...options,
  });
  cleanUp.push(() => transports.close());
  const heard: Heard = { messages: [], flows: [], closed: [] };
  transports.deliverTo({
    received(message, flow) {
      heard.messages.push(message);
      heard.flows.push(flow);
      if (message.kind === 'request')
        transports.send(flow, writeResponse(message, { status: 200, toTag: 'x' }));
    },
    flowClosed: (flow) => void heard.closed.push(flow),
  });
  return { transports, heard, port: transports.listening[0]?.local.port ?? 0 };
}

export function authenticate(transports: SipTransports, heard: Heard, owner: string | null): void {
  for (const flow of heard.flows) transports.authenticated(flow, owner);
}

export function options(transport: string, extra = ''): string {
  return [
    'OPTIONS sip:a@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/${transport} host.invalid:5099;branch=z9hG4bKtest;rport`,
    'From: <sip:b@127.0.0.1>;tag=1',
    'To: <sip:a@127.0.0.1>',
    'Call-ID: c',
    'CSeq: 1 OPTIONS',
    `${extra}Content-Length: 0`,
    '',
    '',
  ].join('\r\n');
}

export async function connected(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  cleanUp.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket.resume();
}

// SIP over TCP: how to listen and how to connect. What is said on a connection is in stream.ts.
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Address } from './transport.ts';

export function tcpServer(accepted: (socket: Socket) => void): Server {
  return createServer({ noDelay: true }, accepted);
}

export function tcpConnect(remote: Address): Socket {
  return connect({ host: remote.address, port: remote.port, noDelay: true });
}

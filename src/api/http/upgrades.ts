// Requests that ask for another protocol. /sip has one; everything else is answered as if it had not asked, as RFC 9110 §7.8 lets us and
// as Node does where nothing listens for upgrades: curl asks for h2c with --http2.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { networkTest, parseNetwork } from '../../safe-fetch/network.ts';
import { SIP_PATH, type SipWebSockets } from './sip-websocket.ts';

export function serveUpgrades(
  server: Server,
  sockets: SipWebSockets | null,
  failed: (error: unknown) => void,
): void {
  if (sockets === null) return;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [path] = (request.url ?? '').split('?', 1);
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (path !== SIP_PATH || !isWebSocket || request.method !== 'GET')
      ignoreUpgrade(server, request, socket, head);
    else
      sockets.upgrade(request, socket, head).catch((error: unknown) => {
        failed(error);
        socket.destroy();
      });
  });
}

/** The same request without the two headers, read anew from the socket. */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** The client's address: of X-Forwarded-For the last that no trusted proxy wrote, as Fastify reads it for requests. */
export function clientAddressOf(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies.flatMap((text) => parseNetwork(text) ?? []));
  return ({ socket, headers }) => {
    const own = plain(socket.remoteAddress ?? '');
    const named = headers['x-forwarded-for'];
    const hops = (Array.isArray(named) ? named.join(',') : (named ?? ''))
      .split(',')
      .map((each) => plain(each.trim()));
    let address = own;
    while (hops.length > 0 && isTrusted(address)) {
      const next = hops.pop() ?? '';
      if (next === '') break;
      address = next;
    }
    return address;
  };
}

const plain = (address: string): string => (/^::ffff:\d+\./i.test(address) ? address.slice(7) : address);

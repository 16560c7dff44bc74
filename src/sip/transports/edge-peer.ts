// Whom a proxy of SIP_EDGES had a request from.
import { isIP, SocketAddress } from 'node:net';
import { detached } from '../ids.ts';
import type { SipRequest } from '../message.ts';
import { parseVia } from '../via.ts';
import { unmapped } from './peer-address.ts';
import { type Address, defaultPort } from './transport.ts';

/**
 * As the proxy wrote it into the second Via (RFC 3261 §18.2.1, RFC 3581 §4), or `edge` itself: the request has one Via, or the
 * proxy does not name a numeric address. Of a repeated `received` the first counts: proxies insert theirs before what came.
 */
export function edgePeer({ headers }: Pick<SipRequest, 'headers'>, edge: Address): Address {
  const second = secondVia(headers);
  const via = second === undefined ? null : parseVia(second);
  if (via === null) return edge;
  const address = canonical(via.params.get('received') || via.host);
  if (address === null) return edge;
  const port =
    Number(via.params.get('rport')) || via.port || defaultPort(via.transport === 'TLS' ? 'tls' : 'udp');
  return { address, port };
}

function secondVia(headers: SipRequest['headers']): string | undefined {
  let isFirst = true;
  for (const [name, value] of headers) {
    if (name !== 'via') continue;
    if (!isFirst) return value;
    isFirst = false;
  }
  return undefined;
}

/** Without brackets and in one notation: a sender must not have as many names as IPv6 has. */
function canonical(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const family = isIP(bare);
  if (family === 4) return detached(bare);
  return family === 6 ? unmapped(new SocketAddress({ address: bare, family: 'ipv6' }).address) : null;
}

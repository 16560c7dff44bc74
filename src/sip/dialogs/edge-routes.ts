// The routes of a dialog through an edge. The edge sends to the first that is not its own, wherever that leads.
import type { NameAddr } from '../message.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { parseUri } from '../uri.ts';
import { isNumeric, isPrivate, unbracketed } from './addresses.ts';

/**
 * Without those of the peer where it is outside and names an address inside as the next hop (T42): the edge then reaches it by its
 * Contact. Names are the edge's concern, which looks them up. Further hops are too: they are the peer's own.
 */
export function routesByEdge(
  routes: readonly NameAddr[],
  { peer, remote }: TransportFlow,
  allows: (address: string) => boolean = () => true,
): readonly NameAddr[] {
  const [first] = routes;
  if (peer === undefined || first === undefined || hostOf(first) !== remote.address) return routes;
  // An edge with two addresses records both.
  const own = parseUri(first.uri)?.params.has('r2') ? 2 : 1;
  for (let at = 1; at <= own && at < routes.length; at++) {
    const host = hostOf(routes[at]);
    if (host === remote.address || (host !== '' && !isNumeric(host))) continue;
    if (host === '' || !allows(host) || (isPrivate(host) && !isPrivate(peer.address)))
      return routes.slice(0, at);
  }
  return routes;
}

const hostOf = (route: NameAddr | undefined): string => unbracketed(parseUri(route?.uri ?? '')?.host ?? '');

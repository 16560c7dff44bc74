// How a registered phone is reached: by the proxies of its Path (RFC 3327), or directly.
import type { Binding } from './bindings.ts';
import { unbracketed } from './dialogs/addresses.ts';
import type { CallTarget } from './dialogs/call-options.ts';
import { SERVER } from './dialogs/capabilities.ts';
import { hasToken } from './header-tokens.ts';
import type { NameAddr, SipRequest } from './message.ts';
import type { Reply } from './transactions/transactions.ts';
import { defaultPort, type TransportFlow } from './transports/transport.ts';
import { parseUri } from './uri.ts';

/** An edge is reached where its Path says (RFC 3327 §5.2): it may have sent from another port. Not at another address. */
export function flowByPath(flow: TransportFlow, [first]: readonly NameAddr[]): TransportFlow {
  const uri = flow.peer && flow.protocol === 'udp' && first ? parseUri(first.uri) : null;
  if (uri === null || unbracketed(uri.host) !== flow.remote.address) return flow;
  return { ...flow, remote: { address: flow.remote.address, port: uri.port || defaultPort('udp') } };
}

export const supportsPath = (request: SipRequest): boolean => hasToken(request, 'supported', 'path');

/**
 * The refusal of a Path in a REGISTER that came by no edge of ours. Null if it is taken, also from a phone that does not know Path, as
 * RFC 3327 §5.3 leaves to the registrar: proxies add it for every phone. It leads nowhere else: the phone is reached by the flow that
 * the REGISTER came by.
 */
export function refusedPath(
  path: readonly NameAddr[],
  isEdge: (address: string) => boolean = () => false,
): Reply | null {
  // Other nodes would take it for one that came by the edge.
  const isForged = path.some(({ uri }) => isEdge(unbracketed(parseUri(uri)?.host ?? '')));
  return isForged ? { status: 403, reason: 'Path of an Edge', headers: [SERVER] } : null;
}

/** Without an edge between, its calls follow the phone to the flow that it registers by later. Not a web page: any of its agent may register so. */
export function targetOf(binding: Binding, flowNow: (binding: Binding) => TransportFlow): CallTarget {
  const { contact: uri, flow, path } = binding;
  const follows = path.length === 0 && !flow.peer && flow.protocol !== 'ws';
  return follows ? { uri, flow, registered: () => flowNow(binding) } : { uri, flow };
}

export const pathOf = ({ path }: Pick<Binding, 'path'>): string => path.map(({ uri }) => uri).join();

/** A phone that another node pings: by its edge, or directly where no NAT is between, which its Contact then shows. */
export function isWorthAsking({ path, flow, contact }: Binding): boolean {
  if (path.length > 0) return true;
  const uri = flow.protocol === 'udp' ? parseUri(contact) : null;
  return (
    uri !== null &&
    unbracketed(uri.host) === flow.remote.address &&
    (uri.port || defaultPort('udp')) === flow.remote.port
  );
}

/**
 * By its connection, whatever its Contact says, or where an edge of ours is between that speaks WebSocket with it, by its Contact, which
 * names the transport (RFC 7118 §5).
 */
export function isBrowserPhone({ contact, flow }: Pick<Binding, 'contact' | 'flow'>): boolean {
  if (flow.protocol === 'ws') return true;
  const transport = parseUri(contact)?.params.get('transport')?.toLowerCase();
  return transport === 'ws' || transport === 'wss';
}

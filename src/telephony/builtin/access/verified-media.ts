// Whether media may be sent to the address in a caller's offer before its ACK (threat T45). A digest or a connection has proved where
// the caller is. The source of a datagram proves nothing: then only the trunk's own addresses are sent to, and others once a PRACK or a
// packet has come from there.
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { Peer } from '../../telephony.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';

export type IsVerified = (peer: Peer, flow: TransportFlow, address: string) => boolean;

export const verifiedBy =
  (trunks: Pick<TrunkBook, 'from'>): IsVerified =>
  (peer, { protocol, peer: behindEdge }, address) =>
    peer.kind !== 'trunk' ||
    (protocol !== 'udp' && behindEdge === undefined) ||
    trunks.from(address).includes(peer.id);

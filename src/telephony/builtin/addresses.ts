// Our own addresses as peers reach them: what stands in SDP and From.
import { isIP } from 'node:net';
import { unbracketed } from '../../sip/dialogs/addresses.ts';
import type { StoredDialog } from '../../sip/session.ts';
import { peerOf, type TransportFlow } from '../../sip/transports/transport.ts';
import type { SipTransports } from '../../sip/transports/transports.ts';
import type { Trunk } from '../ports/trunk.ts';

/** An external address, to choose our local one (RFC 5737: for documentation). */
const ELSEWHERE = '192.0.2.1';
const NOT_LISTENING = { address: '127.0.0.1', port: 0 };

export class OwnAddresses {
  readonly #transports: Pick<SipTransports, 'sentBy' | 'listening' | 'udpFlow'>;

  constructor(transports: Pick<SipTransports, 'sentBy' | 'listening' | 'udpFlow'>) {
    this.#transports = transports;
  }

  /** What the peer can reach, also where an edge is between us. */
  on(flow: TransportFlow): string {
    return unbracketed(this.#transports.sentBy({ ...flow, remote: peerOf(flow) }).host);
  }

  towards({ host, port, protocol }: Pick<Trunk, 'host' | 'port' | 'protocol'>): string {
    const local = this.#transports.listening[0]?.local ?? NOT_LISTENING;
    const remote = { address: isIP(host) === 0 ? ELSEWHERE : host, port };
    return this.on({ protocol, local, remote, connection: 0 });
  }

  /** The address for a dialog that another node had. */
  ofStored({ protocol, hop, peer }: Pick<StoredDialog, 'protocol' | 'hop' | 'peer'>): string {
    const local = this.#transports.udpFlow(hop)?.local ?? this.#transports.listening[0]?.local;
    const from = local ?? NOT_LISTENING;
    return this.on({ protocol, local: from, remote: hop, connection: 0, ...(peer ? { peer } : {}) });
  }
}

// Between a browser and the service: lets ICE and the ClientHello of DTLS through, and nothing that would finish the handshake.
import { createSocket } from 'node:dgram';

const CLIENT_HELLO = 1;
/** RFC 6347 §4.1 and §4.2.2: a record's header, then the type of the handshake's message. */
const RECORD_BYTES = 13;

export interface HalfOpenRelay {
  readonly port: number;
  /** What the browser sent to finish its handshake. */
  withheld: number;
  close(): void;
}

export async function openHalfOpenRelay(servicePort: number): Promise<HalfOpenRelay> {
  const socket = createSocket('udp4');
  let browserPort = 0;
  socket.on('message', (packet, { port }) => {
    if (port === servicePort) {
      if (browserPort > 0) socket.send(packet, browserPort, '127.0.0.1');
      return;
    }
    browserPort = port;
    const [first = 0] = packet;
    const isDtls = first >= 20 && first <= 63;
    if (isDtls && packet[RECORD_BYTES] !== CLIENT_HELLO) relay.withheld += 1;
    else socket.send(packet, servicePort, '127.0.0.1');
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const relay = { port: socket.address().port, withheld: 0, close: () => void socket.close() };
  return relay;
}

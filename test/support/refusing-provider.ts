// A provider that refuses every registration: 403 to all that is asked of it.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

export interface RefusingProvider {
  readonly port: number;
  close(): void;
}

/** RFC 3261 §8.2.6: the answer has the request's Via, From, To, Call-ID and CSeq. */
const COPIED = /^(?:via|v|from|f|to|t|call-id|i|cseq)\s*:/i;

export async function refusingProvider(): Promise<RefusingProvider> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { address, port }) => {
    const [, ...lines] = String(bytes).split('\r\n');
    const copied = lines
      .filter((line) => COPIED.test(line))
      .map((line) => (/^t(?:o)?\s*:/i.test(line) && !line.includes('tag=') ? `${line};tag=refused` : line));
    socket.send(
      ['SIP/2.0 403 Forbidden', ...copied, 'Content-Length: 0', '', ''].join('\r\n'),
      port,
      address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: (socket.address() as AddressInfo).port, close: () => socket.close() };
}

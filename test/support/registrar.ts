// The registrar of a provider, over UDP.
import { createSocket, type Socket } from 'node:dgram';

/** A provider that takes every registration: by Call-ID the times of its REGISTERs, those that unregister left out. */
export class Registrar {
  readonly seen = new Map<string, number[]>();
  readonly #socket: Socket;

  static async open(): Promise<Registrar> {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    return new Registrar(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (bytes, { address, port }) => {
      const text = bytes.toString();
      const lines = text.split('\r\n');
      const [first = ''] = lines;
      if (!first.startsWith('REGISTER')) return;
      const of = (name: string): string[] =>
        lines.filter((line) => line.toLowerCase().startsWith(`${name}:`));
      const callId = of('call-id')[0]?.slice(8).trim() ?? '';
      const isOver = /expires(=|: *)0\b/i.test(text);
      if (!isOver) this.seen.set(callId, [...(this.seen.get(callId) ?? []), performance.now()]);
      const contact = of('contact')[0] ?? '';
      const answer = [
        'SIP/2.0 200 OK',
        ...of('via'),
        ...of('from'),
        `${of('to')[0]};tag=provider`,
        ...of('call-id'),
        ...of('cseq'),
        /expires/i.test(contact) ? contact : `${contact};expires=60`,
        'Content-Length: 0\r\n\r\n',
      ];
      socket.send(answer.join('\r\n'), port, address);
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  close(): void {
    this.#socket.close();
  }
}

// Whether a port can be had, and what answers SIP on it.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, createServer, isIPv6 } from 'node:net';

const ANSWER_MS = 1_500;
/** RFC 3261 §17.1.2.2: timer E begins with T1. */
const AGAIN_MS = 500;
/** A response to OPTIONS is shorter. */
const MAX_BYTES = 8_192;

/** Null if it can be had; otherwise the system's code. */
export function tryPort(protocol: 'udp' | 'tcp', host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    if (protocol === 'udp') {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      // Node leaves a socket open that could not be bound.
      socket.once('error', (error) => socket.close(() => failed(error)));
      socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(null)));
      return;
    }
    const server = createServer();
    server.once('error', failed);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** The Server header of the response to OPTIONS, perhaps empty; null: nothing answers SIP there in time. */
export async function sipName(
  protocol: 'udp' | 'tcp',
  host: string,
  port: number,
  withinMs = ANSWER_MS,
): Promise<string | null> {
  const callId = randomBytes(12).toString('hex');
  const nameIn = (text: string): string | null =>
    /^SIP\/2\.0 [2-6]\d\d /.test(text) && callIdIn(text) === callId
      ? (/^server[ \t]*:[ \t]*(.*?)\r?$/im.exec(text)?.[1] ?? '')
      : null;
  const ask = protocol === 'udp' ? askByUdp : askByTcp;
  // Where :: listens there may be no IPv6 to reach it by.
  const [first, second] = host === '::' ? ['::1', '127.0.0.1'] : [reachedAt(host)];
  const asking = (address: string): Promise<string | null> =>
    ask({ address, port, withinMs, callId, nameIn });
  return (await asking(first ?? host)) ?? (second === undefined ? null : asking(second));
}

/** RFC 3261 §7.3.3: also in the short form. */
const callIdIn = (text: string): string | undefined =>
  /^(?:call-id|i)[ \t]*:([^\r\n]*)/im.exec(text)?.[1]?.trim();

/** Sockets that listen on all addresses are reached on this machine's own. */
const reachedAt = (host: string): string => (host === '0.0.0.0' || host === 'localhost' ? '127.0.0.1' : host);

interface Asked {
  readonly address: string;
  readonly port: number;
  readonly withinMs: number;
  readonly callId: string;
  /** Null if this is no answer to it. */
  readonly nameIn: (text: string) => string | null;
}

function optionsTo({ address, port, callId }: Asked, protocol: 'UDP' | 'TCP', from: string): string {
  const host = isIPv6(address) ? `[${address}]` : address;
  return [
    `OPTIONS sip:${host}:${port} SIP/2.0`,
    `Via: SIP/2.0/${protocol} ${from};branch=z9hG4bK${callId};rport`,
    'Max-Forwards: 70',
    `From: <sip:doctor@${host}>;tag=${callId.slice(0, 8)}`,
    `To: <sip:${host}:${port}>`,
    `Call-ID: ${callId}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

const sentBy = (address: string, port: number): string =>
  `${isIPv6(address) ? `[${address}]` : address}:${port}`;

function askByUdp(asked: Asked): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(asked.address) ? 'udp6' : 'udp4');
    let again: NodeJS.Timeout | undefined;
    const end = (name: string | null): void => {
      clearTimeout(late);
      clearInterval(again);
      socket.removeAllListeners('message');
      socket.close();
      resolve(name);
    };
    const late = setTimeout(() => end(null), asked.withinMs);
    // ECONNREFUSED comes here: another try may still be answered, unless nothing listens.
    socket.once('error', () => end(null));
    socket.on('message', (bytes) => {
      const name = asked.nameIn(bytes.toString('latin1'));
      if (name !== null) end(name);
    });
    // It is told here, and not by 'error', that there is no way to the address.
    socket.connect(asked.port, asked.address, (error?: Error) => {
      if (error) {
        end(null);
        return;
      }
      const { address, port } = socket.address();
      const send = (): void => socket.send(optionsTo(asked, 'UDP', sentBy(address, port)), () => undefined);
      send();
      again = setInterval(send, AGAIN_MS);
    });
  });
}

function askByTcp(asked: Asked): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(asked.port, asked.address);
    let text = '';
    const end = (name: string | null): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(name);
    };
    const late = setTimeout(() => end(null), asked.withinMs);
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
    socket.on('connect', () => {
      const { localAddress = '127.0.0.1', localPort = 0 } = socket;
      socket.write(optionsTo(asked, 'TCP', sentBy(localAddress, localPort)));
    });
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const name = text.includes('\r\n\r\n') ? asked.nameIn(text) : null;
      if (name !== null) end(name);
      else if (text.length > MAX_BYTES) end(null);
    });
  });
}

// Very many short calls: answered, one key by RFC 4733, BYE. Written for speed: no timers but one for lost packets, no audio.
import { createSocket, type Socket } from 'node:dgram';
import { sdpAt } from './raw-caller.ts';

export interface ShortCallsQuestion {
  readonly server: { readonly host: string; readonly port: number };
  readonly host: string;
  readonly number: string;
  readonly calls: number;
  readonly perSecond: number;
}

export interface ShortCallsAnswer {
  readonly completed: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

interface ShortCall {
  readonly id: number;
  readonly invite: string;
  sentMs: number;
  last: string;
}

const AGAIN_MS = 500;
const GIVE_UP_MS = 20_000;

const listen = (host: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.bind(0, host, () => {
      socket.setRecvBufferSize(4 * 1024 * 1024);
      resolve(socket);
    });
  });

async function main(): Promise<void> {
  const { server, host, number, calls, perSecond } = JSON.parse(process.argv[2] ?? '') as ShortCallsQuestion;
  const sip = await listen(host);
  const rtp = await listen(host);
  const local = { host, port: sip.address().port };
  const sdp = sdpAt({ host, port: rtp.address().port });
  const uri = `sip:${number}@${server.host}:${server.port}`;
  const run = `${process.pid}${Date.now().toString(36)}`;
  const live = new Map<number, ShortCall>();
  const codes: Record<string, number> = {};
  let begun = 0;
  let ended = 0;

  const text = (method: string, id: number, cseq: number, to: string, body = ''): string =>
    `${method} ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP ${local.host}:${local.port};branch=z9hG4bK${method}${run}-${id};rport\r\n` +
    `Max-Forwards: 70\r\nFrom: <sip:short@${host}>;tag=${run}-${id}\r\nTo: ${to}\r\nCall-ID: ${id}-${run}\r\n` +
    `CSeq: ${cseq} ${method}\r\nContact: <sip:short@${local.host}:${local.port}>\r\n` +
    `${body === '' ? '' : 'Content-Type: application/sdp\r\n'}Content-Length: ${body.length}\r\n\r\n${body}`;
  const send = (message: string): void => sip.send(message, server.port, server.host);
  const end = (call: ShortCall, code: string): void => {
    if (!live.delete(call.id)) return;
    codes[code] = (codes[code] ?? 0) + 1;
    ended += 1;
  };
  const begin = (): void => {
    const id = begun++;
    const invite = text('INVITE', id, 1, `<${uri}>`, sdp);
    live.set(id, { id, invite, sentMs: performance.now(), last: invite });
    send(invite);
  };
  const answered = (call: ShortCall, message: string): void => {
    const to = /^To: (.*)\r$/m.exec(message)?.[1] ?? '';
    const port = Number(/^m=audio (\d+)/m.exec(message)?.[1]);
    send(text('ACK', call.id, 1, to));
    const event = Buffer.alloc(16);
    event.writeUInt16BE(0x8065 | 0x80, 0);
    event.writeUInt32BE(1_000, 4);
    event.writeUInt32BE(call.id, 8);
    event.set([1, 0x8a, 3, 0x20], 12);
    // Our ACK comes first: sound is taken from then on.
    setTimeout(() => rtp.send(event, port, server.host), 30);
    setTimeout(() => {
      call.last = text('BYE', call.id, 2, to);
      send(call.last);
    }, 60);
  };
  sip.on('message', (bytes) => {
    const message = bytes.toString('latin1');
    const code = message.slice(8, 11);
    if (!message.startsWith('SIP/2.0') || code < '200') return;
    const call = live.get(Number(/^Call-ID: (\d+)-/m.exec(message)?.[1]));
    if (call === undefined) return;
    if (message.includes('CSeq: 2 BYE')) end(call, code);
    else if (code !== '200') {
      send(text('ACK', call.id, 1, /^To: (.*)\r$/m.exec(message)?.[1] ?? ''));
      end(call, code);
    } else if (call.last === call.invite) {
      call.last = '';
      answered(call, message);
    }
  });
  rtp.on('message', () => undefined);
  const startMs = performance.now();
  while (ended < calls) {
    const nowMs = performance.now();
    for (const due = ((nowMs - startMs) * perSecond) / 1_000; begun < calls && begun < due; ) begin();
    for (const call of live.values()) {
      if (nowMs - call.sentMs > GIVE_UP_MS) end(call, 'lost');
      else if (nowMs - call.sentMs > AGAIN_MS && call.last !== '' && Math.random() < 0.01) send(call.last);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const answer: ShortCallsAnswer = {
    completed: codes['200'] ?? 0,
    codes,
    seconds: (performance.now() - startMs) / 1_000,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
}

void main();

// What the SIP stack below the dialogs costs per call: INVITE, 200, ACK, BYE, 200 as the called side, over real loopback
// UDP. `npx tsx bench/sip-transactions.ts` prints CPU per call beside a bare dgram socket that answers the same packets.
// The caller is a process of its own (this file with an argument), so that the CPU counted is the called side's alone.
import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SipRequest } from '../src/sip/message.ts';
import { TimerWheel } from '../src/sip/timers.ts';
import { TransactionLayer } from '../src/sip/transactions/layer.ts';
import type { ServerTransaction } from '../src/sip/transactions/transactions.ts';
import { openTransports } from '../src/sip/transports/transports.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 20_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Calls that the caller has under way at a time. */
const WINDOW = 20;

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 20000 RTP/AVP 0 8 101',
  'a=rtpmap:101 telephone-event/8000',
  'a=sendrecv',
  '',
].join('\r\n');

function head(method: string, call: number, number: number, port: number, toTag: string): string {
  return [
    `${method} sip:600@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${process.pid}-${call}-${method};rport`,
    'Max-Forwards: 70',
    `From: "Alice" <sip:1001@127.0.0.1>;tag=a${call}`,
    `To: <sip:600@127.0.0.1>${toTag}`,
    `Call-ID: ${process.pid}-${call}@bench`,
    `CSeq: ${number} ${method}`,
    `Contact: <sip:1001@127.0.0.1:${port}>`,
    'User-Agent: bench',
    'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, PRACK',
    'Supported: replaces, timer',
  ].join('\r\n');
}

/** The caller: as fast as the other side answers. */
async function placeCalls(target: number, calls: number): Promise<void> {
  const socket = createSocket({ type: 'udp4', lookup: (host, _options, found) => found(null, host, 4) });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  const send = (text: string) => socket.send(text, target, '127.0.0.1');
  let next = 0;
  let done = 0;
  const begin = () => {
    if (next >= calls) return;
    const body = `Content-Type: application/sdp\r\nContent-Length: ${SDP.length}\r\n\r\n${SDP}`;
    send(`${head('INVITE', next++, 1, port, '')}\r\n${body}`);
  };
  await new Promise<void>((resolve) => {
    socket.on('message', (bytes) => {
      const text = bytes.toString('latin1');
      const call = Number(text.slice(text.indexOf('tag=a') + 5, text.indexOf('\r', text.indexOf('tag=a'))));
      if (text.includes('1 INVITE')) {
        send(`${head('ACK', call, 1, port, ';tag=b')}\r\nContent-Length: 0\r\n\r\n`);
        send(`${head('BYE', call, 2, port, ';tag=b')}\r\nContent-Length: 0\r\n\r\n`);
      } else {
        done++;
        if (done === calls) resolve();
        else begin();
      }
    });
    for (let i = 0; i < WINDOW; i++) begin();
  });
  socket.close();
}

/** CPU of this process in µs per call while a caller places them. */
async function measure(port: number): Promise<number> {
  const caller = fork(fileURLToPath(import.meta.url), ['caller', `${port}`, `${CALLS}`]);
  await once(caller, 'message');
  const before = process.cpuUsage();
  caller.send('go');
  const [code] = await once(caller, 'exit');
  if (code !== 0) throw new Error('the caller failed');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function layerSide() {
  const timers = new TimerWheel((error) => console.error(error));
  const failed = (error: unknown) => console.error(error);
  const listen = [
    { protocol: 'udp', host: '127.0.0.1', port: 0, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' },
  ] as const;
  const transports = await openTransports({ listen, timers, failed });
  const layer = new TransactionLayer({ timers, transports, failed });
  transports.deliverTo(layer);
  const body = Buffer.from(SDP);
  layer.deliverTo({
    received(request: SipRequest, transaction: ServerTransaction) {
      if (request.method !== 'INVITE') transaction.respond({ status: 200 });
      else {
        const headers = [
          ['contact', '<sip:127.0.0.1>'],
          ['content-type', 'application/sdp'],
        ] as const;
        transaction.respond({ status: 200, toTag: 'b', headers, body });
      }
    },
    cancelled() {},
    acknowledged() {},
  });
  const close = async () => {
    layer.close();
    await transports.close();
  };
  return { port: transports.listening[0]?.local.port ?? 0, count: () => layer.count, close };
}

/** The limit: no parser, no transactions, three packets in and two out. */
async function bareSide() {
  const socket = createSocket({ type: 'udp4', lookup: (host, _options, found) => found(null, host, 4) });
  socket.on('message', (bytes, from) => {
    if (bytes[0] === 0x41) return;
    const isInvite = bytes[0] === 0x49;
    const at = bytes.indexOf('tag=a');
    const tag = bytes.toString('latin1', at, bytes.indexOf('\r', at));
    const answer = `SIP/2.0 200 OK\r\nFrom: <sip:a>;${tag}\r\nCSeq: ${isInvite ? '1 INVITE' : '2 BYE'}\r\n\r\n`;
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, close: () => socket.close() };
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

if (process.argv[2] === 'caller') {
  process.send?.('ready');
  await once(process, 'message');
  await placeCalls(Number(process.argv[3]), Number(process.argv[4]));
  process.disconnect?.();
} else {
  const layer = await layerSide();
  const bare = await bareSide();
  const figures = { layer: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    figures.bare.push(await measure(bare.port));
    figures.layer.push(await measure(layer.port));
  }
  const memory = process.memoryUsage();
  console.log(
    `${CALLS} calls, ${ROUNDS} rounds, median CPU of the called side per call (INVITE, 200, ACK, BYE, 200):`,
  );
  console.log(`  bare dgram           ${median(figures.bare).toFixed(0)} µs`);
  console.log(`  transports and layer ${median(figures.layer).toFixed(0)} µs`);
  console.log(
    `  transactions still held ${layer.count()}, heap ${(memory.heapUsed / 2 ** 20).toFixed(0)} MiB`,
  );
  await layer.close();
  bare.close();
}

// What HEP capture costs per SIP message, and what it costs where it is off: `npx tsx bench/hep.ts`.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { HepCapture } from '../src/sip/capture/hep.ts';
import { Inbound } from '../src/sip/transports/inbound.ts';
import type { TransportFlow } from '../src/sip/transports/transport.ts';

const MESSAGES = 20_000;
const ROUNDS = 7;
const flow: TransportFlow = {
  protocol: 'udp',
  local: { address: '127.0.0.1', port: 5060 },
  remote: { address: '127.0.0.1', port: 40_000 },
  connection: 0,
};
const INVITE = Buffer.from(
  [
    'INVITE sip:1000@pbx.example.com SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.17:5062;branch=z9hG4bK6f1f0b6d3a9d4c21;rport',
    'Max-Forwards: 70',
    'From: "Ann Example" <sip:2001@pbx.example.com>;tag=a73kszlfl',
    'To: <sip:1000@pbx.example.com>',
    'Call-ID: 8c8e2f0e-2d3c-4b52-9d44-3f6b0f9c1a11',
    'CSeq: 20 INVITE',
    'Contact: <sip:2001@192.0.2.17:5062>',
    'Authorization: Digest username="2001", realm="dialtree", nonce="abc", uri="sip:1000@pbx.example.com", response="0123456789abcdef0123456789abcdef"',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n'),
);

const server = createSocket('udp4').on('message', () => undefined);
server.bind(0, '127.0.0.1');
await once(server, 'listening');
const capture = new HepCapture({
  host: '127.0.0.1',
  port: server.address().port,
  id: 1,
  password: undefined,
  name: 'bench',
  onFailure: () => undefined,
});
await sleep(200);

const tap = {
  received: (bytes: Buffer) => capture.received(bytes, flow, '127.0.0.1'),
  sent: (bytes: Buffer) => capture.sent(bytes, flow, '127.0.0.1'),
};

async function nsPerMessage(inbound: Inbound): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let tookUs = 0;
    for (let sent = 0; sent < MESSAGES; sent += 200) {
      // CPU time: the machine may do other things.
      const before = process.cpuUsage();
      for (let i = 0; i < 200; i++) inbound.receive(INVITE, flow, NO_REPLY);
      const { user, system } = process.cpuUsage(before);
      tookUs += user + system;
      await new Promise((resolve) => setImmediate(resolve));
    }
    times.push((tookUs * 1000) / MESSAGES);
  }
  return Math.round(times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0);
}

const NO_REPLY = { reply: () => undefined };
const failed = (error: unknown): never => {
  throw error;
};
const off = await nsPerMessage(new Inbound(null, failed));
const on = await nsPerMessage(new Inbound(null, failed, null, tap));
console.log(
  `guard and parse, HEP off: ${off} ns per message; on: ${on} ns; ${JSON.stringify(capture.counts)}`,
);
capture.close();
server.close();

// What one SIP message costs: an INVITE with SDP as a phone sends it, read, answered and written. Run by
// `npx tsx bench/sip-parse.ts`.

import { randomUUID } from 'node:crypto';
import { type DigestSecret, DigestServer, hashOf } from '../src/sip/digest.ts';
import { DigestClient } from '../src/sip/digest-client.ts';
import { Framer } from '../src/sip/frame.ts';
import { newBranch } from '../src/sip/ids.ts';
import type { SipRequest } from '../src/sip/message.ts';
import { parseMessage } from '../src/sip/parse.ts';
import { writeResponse } from '../src/sip/response.ts';
import { refusal } from '../src/sip/sanity.ts';
import { serialize } from '../src/sip/serialize.ts';
import { parseUri } from '../src/sip/uri.ts';

const BENCH_MS = 2_000;
const SDP = [
  'v=0',
  'o=- 3721 3721 IN IP4 192.0.2.17',
  's=-',
  'c=IN IP4 192.0.2.17',
  't=0 0',
  'm=audio 40376 RTP/AVP 8 0 101',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-16',
  'a=sendrecv',
  '',
].join('\r\n');

const INVITE = Buffer.from(
  [
    'INVITE sip:1000@pbx.example.com:5060;transport=udp SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.17:5062;branch=z9hG4bK6f1f0b6d3a9d4c21;rport',
    'Max-Forwards: 70',
    'From: "Ann Example" <sip:2001@pbx.example.com>;tag=a73kszlfl',
    'To: <sip:1000@pbx.example.com>',
    `Call-ID: ${randomUUID()}`,
    'CSeq: 20 INVITE',
    'Contact: <sip:2001@192.0.2.17:5062;transport=udp>;+sip.instance="<urn:uuid:0b1c>"',
    'Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER, NOTIFY',
    'Supported: 100rel, timer, replaces, outbound',
    'Session-Expires: 1800;refresher=uac',
    'Min-SE: 90',
    'User-Agent: Telephone 4.2.1',
    'Content-Type: application/sdp',
    `Content-Length: ${SDP.length}`,
    '',
    SDP,
  ].join('\r\n'),
);

/** Processor time of this process, so that neighbours on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Microseconds of one core that `once` takes. */
function microseconds(once: () => unknown): string {
  for (const until = cpuMs() + 300; cpuMs() < until; ) once();
  let done = 0;
  const start = cpuMs();
  for (; cpuMs() - start < BENCH_MS; done += 200) for (let round = 0; round < 200; round += 1) once();
  return `${(((cpuMs() - start) * 1_000) / done).toFixed(2)} µs`;
}

function requestOf(bytes: Buffer): SipRequest {
  const message = parseMessage(bytes);
  if (message.kind !== 'request') throw new Error('The INVITE is no request.');
  return message;
}

const invite = requestOf(INVITE);
const answer = writeResponse(invite, { status: 200, toTag: 'x', body: Buffer.from(SDP) });
const ok = parseMessage(answer);
if (ok.kind !== 'response') throw new Error('The 200 is no response.');
const abilities = {
  methods: ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS'],
  extensions: new Set(['100rel', 'timer']),
  bodies: ['application/sdp'],
};

const server = new DigestServer({ realm: 'dialtree', nonceMs: 1e9 });
const secret: DigestSecret = { md5: hashOf('MD5', '1:dialtree:x'), sha256: '', algorithm: 'MD5' };
const client = new DigestClient({ username: '1', password: 'x', realm: 'dialtree' });
client.answer(
  { ...ok, status: 401, headers: [['www-authenticate', server.challenge()]] },
  'INVITE',
  invite.uri,
);

function checkPassword(): void {
  const header = client.authorize('INVITE', invite.uri);
  if (header === null) throw new Error('Nothing to answer with.');
  const request = { ...invite, headers: [header] };
  const given = server.answerOf(request);
  if (given === null || !server.verify(request, given, secret).ok)
    throw new Error('The password is refused.');
}

console.table({
  [`parse an INVITE (${INVITE.length} bytes)`]: microseconds(() => parseMessage(INVITE)),
  [`parse a 200 (${answer.length} bytes)`]: microseconds(() => parseMessage(answer)),
  'serialize the INVITE': microseconds(() => serialize(invite)),
  'write its 200': microseconds(() => writeResponse(invite, { status: 200, toTag: 'x', body: invite.body })),
  'parse it, with received and rport': microseconds(() =>
    parseMessage(INVITE, { address: '192.0.2.17', port: 5062 }),
  ),
  'check it (RFC 3261 §8.2)': microseconds(() => refusal(invite, abilities)),
  'parse its Request-URI': microseconds(() => parseUri(invite.uri)),
  'frame it from a stream': microseconds(() => new Framer().feed(INVITE)),
  'a new branch': microseconds(newBranch),
  'answer and check a digest (MD5, both sides)': microseconds(checkPassword),
});

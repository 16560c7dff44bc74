// One hostile message through everything that reads or writes SIP text.
import { parseDigest } from '../../../src/sip/digest-header.ts';
import { Framer } from '../../../src/sip/frame.ts';
import { headerOf, type SipMessage } from '../../../src/sip/message.ts';
import { formatNameAddr, listOf } from '../../../src/sip/name-addr.ts';
import { MOST_HEADER_BYTES, parseMessage } from '../../../src/sip/parse.ts';
import { writeResponse } from '../../../src/sip/response.ts';
import { refusal } from '../../../src/sip/sanity.ts';
import { serialize } from '../../../src/sip/serialize.ts';
import { formatUri, parseUri } from '../../../src/sip/uri.ts';

const ABILITIES = {
  methods: ['INVITE', 'OPTIONS'],
  extensions: new Set<string>(),
  bodies: ['application/sdp'],
};

/** Throws when something is wrong with our side of it. */
export function exercise(bytes: Buffer): void {
  const framer = new Framer();
  framer.feed(bytes.subarray(0, bytes.length >> 1));
  framer.feed(bytes.subarray(bytes.length >> 1));
  const message = parseMessage(bytes);
  if (message.kind !== 'malformed') {
    comesBack(message);
    readParts(message);
  }
  const request = message.kind === 'malformed' ? message.request : message;
  if (request?.kind !== 'request') return;
  const again = parseMessage(bytes, { address: '192.0.2.99', port: 5060 });
  const sourced = again.kind === 'malformed' ? again.request : again;
  if (sourced?.kind !== 'request') throw new Error('Its source made it another message.');
  const reply = refusal(sourced, ABILITIES) ?? { status: 200 };
  answerIsSound(writeResponse(sourced, { ...reply, toTag: 'ours' }));
}

/** What was parsed is written so that it is parsed to the same. */
function comesBack(message: SipMessage): void {
  const written = serialize(message);
  // Compact names and Latin-1 grow when written out, so a section at its limit may exceed it.
  if (written.length - message.body.length > MOST_HEADER_BYTES) return;
  const again = parseMessage(written);
  if (again.kind === 'malformed') throw new Error(`Written, but not read: ${again.reason}`);
  if (!serialize(again).equals(written)) throw new Error('Written differently the second time.');
  if (again.headers.length !== message.headers.length) throw new Error('Headers came or went.');
}

function readParts(message: SipMessage): void {
  for (const name of ['contact', 'route', 'record-route', 'path', 'refer-to']) {
    for (const address of listOf(message, name) ?? []) {
      formatNameAddr(address);
      uriComesBack(address.uri);
    }
  }
  for (const name of ['authorization', 'proxy-authorization', 'www-authenticate', 'subject']) {
    parseDigest(headerOf(message, name) ?? '');
  }
  uriComesBack(message.from.uri);
  if (message.kind === 'request') uriComesBack(message.uri);
}

function uriComesBack(text: string): void {
  const uri = parseUri(text);
  if (uri === null) return;
  const written = formatUri(uri);
  const again = parseUri(written);
  if (again === null || formatUri(again) !== written)
    throw new Error('A URI is written differently the second time.');
}

/** One line per header that we know of: nothing of the request became a header or a body of its own. */
function answerIsSound(answer: Buffer): void {
  const text = answer.toString();
  const [head, ...rest] = text.split('\r\n\r\n');
  if (rest.length !== 1 || rest[0] !== '') throw new Error('An answer has a body of its own.');
  const known =
    /^(?:(?:Via|From|To|Call-ID|CSeq|Record-Route|Unsupported|Allow|Accept|Accept-Encoding|Content-Length): |Warning: 399 dialtree "[\w ,.;:'()/-]+"$)/;
  for (const line of (head ?? '').split('\r\n').slice(1)) {
    if (!known.test(line) || /[\r\n\0]/.test(line))
      throw new Error(`An answer has a line of its own: ${line}`);
  }
}

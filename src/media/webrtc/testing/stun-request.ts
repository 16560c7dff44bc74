// A Binding request as ICE makes it (RFC 8445 §7.2.2, RFC 8489), for who is no browser: a stranger, or somebody with another's address.
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const HEADER_BYTES = 20;
const MAGIC_COOKIE = 0x2112a442;
const BINDING_REQUEST = 0x0001;
export const BINDING_ANSWER = 0x0101;
const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const PRIORITY = 0x0024;
const ICE_CONTROLLING = 0x802a;
const FINGERPRINT = 0x8028;
const FINGERPRINT_XOR = 0x5354554e;
const INTEGRITY_BYTES = 24;
const FINGERPRINT_BYTES = 8;

/** Without a user it has the header alone. */
export function stunRequest(user?: { readonly name: string; readonly password: string }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(BINDING_REQUEST, 0);
  header.writeUInt32BE(MAGIC_COOKIE, 4);
  randomBytes(12).copy(header, 8);
  if (!user) return header;
  const said = Buffer.concat([
    attribute(USERNAME, Buffer.from(user.name)),
    attribute(PRIORITY, Buffer.from([0x6e, 0, 1, 0xff])),
    attribute(ICE_CONTROLLING, randomBytes(8)),
  ]);
  // Both are computed with the length that the message has once they are in it.
  header.writeUInt16BE(said.length + INTEGRITY_BYTES, 2);
  const integrity = createHmac('sha1', user.password).update(header).update(said).digest();
  const secured = Buffer.concat([said, attribute(MESSAGE_INTEGRITY, integrity)]);
  header.writeUInt16BE(secured.length + FINGERPRINT_BYTES, 2);
  const fingerprint = Buffer.alloc(4);
  fingerprint.writeUInt32BE((crc32(Buffer.concat([header, secured])) ^ FINGERPRINT_XOR) >>> 0);
  return Buffer.concat([header, secured, attribute(FINGERPRINT, fingerprint)]);
}

function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

// A self-signed certificate for tests, written byte by byte (X.690 DER, RFC 5280), so that no tool but Node is needed.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const time = (at: Date) => text(0x18, `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);

/** PEM text of a certificate for those names (and 127.0.0.1), and of its key. */
export function testCertificate(...names: readonly string[]): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, oid('2a8648ce3d040302'));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid('550403'), text(0x0c, names[0] ?? 'test'))));
  const alternatives = der(
    SEQUENCE,
    ...names.map((each) => text(0x82, each)),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const basic = der(SEQUENCE, oid('551d13'), der(0x04, der(SEQUENCE, der(0x01, Buffer.from([0xff])))));
  const subject = der(SEQUENCE, oid('551d11'), der(0x04, alternatives));
  const now = Date.now();
  const signed = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, time(new Date(now - 3_600_000)), time(new Date(now + 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, basic, subject)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const body =
    der(SEQUENCE, signed, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${body.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

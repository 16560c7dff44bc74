// A self-signed certificate for DTLS. Its fingerprint in the SDP is what the browser checks (RFC 8827 §6.5): names and dates have no
// meaning. node:crypto has no X.509 writer, and a certificate has so few fields that its DER is written here.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  /** As in a=fingerprint. */
  readonly fingerprint: string;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const EXPLICIT_0 = 0xa0;
/** X.509 v3 is written as 2. */
const VERSION_3 = 2;
/** OIDs with their tag and length. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const DAY_MS = 86_400_000;
const VALID_DAYS = 3_650;

export function makeCertificate(nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('dialtree')))));
  const signed = der(
    SEQUENCE,
    der(EXPLICIT_0, der(INTEGER, Buffer.of(VERSION_3))),
    // Positive, and without a leading zero byte.
    der(INTEGER, Buffer.of(1), randomBytes(15)),
    algorithm,
    name,
    // The browser's clock may be behind.
    der(SEQUENCE, time(nowMs - DAY_MS), time(nowMs + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', signed, privateKey);
  const whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, Buffer.of(0), signature));
  const hash = createHash('sha256').update(whole).digest('hex').toUpperCase();
  return {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${inLines(whole.toString('base64'))}-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: `sha-256 ${hash.replace(/..(?=.)/g, '$&:')}`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80
      ? Buffer.of(length)
      : length < 0x100
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), size, content]);
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}

const inLines = (text: string): string => text.replace(/.{1,64}/g, '$&\n');

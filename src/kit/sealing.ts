// AES-256-GCM under one key of the installation: SECRET_KEY, or 32 random bytes in DATA_DIR that are made when the first
// secret is sealed. Nodes that share a database need the same SECRET_KEY.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sealer } from '../domain/sealer.ts';
import { errorCode } from './data-folder.ts';

const KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1.';

export interface SealingOptions {
  readonly dataDir: string;
  readonly secretKey: Uint8Array | undefined;
}

export function makeSealer({ dataDir, secretKey }: SealingOptions): Sealer {
  const file = join(dataDir, KEY_FILE);
  let key = secretKey;
  return {
    seal(secret, place) {
      key ??= readKey(file) ?? makeKey(file);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return FORM + Buffer.concat(sealed).toString('base64url');
    },
    open(sealed, place) {
      key ??= readKey(file) ?? undefined;
      if (!key || !sealed.startsWith(FORM)) return null;
      const bytes = Buffer.from(sealed.slice(FORM.length), 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** A key for one purpose, the same on all nodes with this SECRET_KEY. Null: there is neither SECRET_KEY nor a made key yet. */
export function derivedKey({ dataDir, secretKey }: SealingOptions, purpose: string): Uint8Array | null {
  const key = secretKey ?? readKey(join(dataDir, KEY_FILE));
  return key && new Uint8Array(hkdfSync('sha256', key, '', `dialtree ${purpose}`, KEY_BYTES));
}

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  // A file that holds something else is not replaced: that would lose every secret sealed with it.
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes in hex.`);
  return Buffer.from(text, 'hex');
}

/** Whole or not at all, and one for all: of several processes at once the first gives the file its name. */
function makeKey(file: string): Buffer {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Not every file system has links.
    if (errorCode(error) !== 'EEXIST') copyUnlessThere(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} cannot be made.`);
  return key;
}

function copyUnlessThere(draft: string, file: string): void {
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

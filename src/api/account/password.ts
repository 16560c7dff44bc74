// Passwords of users: scrypt, a few at a time, so that guesses keep neither the processor nor the memory from other work.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** 32 MiB and some 60 ms each (OWASP: N = 2^15, r = 8 with p = 3, or 2^17 with p = 1; a compromise for small machines). */
const COST = { ln: 15, r: 8, p: 2 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_MEMORY = 128 * 1024 * 1024;
/** At once, and waiting for their turn. */
const PARALLEL = 2;
const MAX_WAITING = 40;

export class PasswordsBusy extends Error {}

export class Passwords {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Compared where there is no user: the answer takes as long as with one. No password has this key. */
  readonly #dummy = storedForm(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return storedForm(salt, await this.#derive(password, salt, COST));
  }

  /** `stored` null: there is no password, or no user. It takes as long, and is never right. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const [form, ln, r, p, salt = '', key = ''] = (stored ?? this.#dummy).split('$');
    const expected = Buffer.from(key, 'base64url');
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    const found = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    const isEqual = expected.length === found.length && timingSafeEqual(expected, found);
    return stored !== null && form === 'scrypt' && isEqual;
  }

  async #derive(password: string, salt: Buffer, { ln, r, p }: typeof COST): Promise<Buffer> {
    await this.#turn();
    try {
      // NFKC: the same letters typed on another keyboard are the same password (RFC 8265 §4.2).
      return await derive(password.normalize('NFKC'), salt, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= PARALLEL) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new PasswordsBusy('too many passwords are being checked');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

const storedForm = (salt: Buffer, key: Buffer): string =>
  ['scrypt', COST.ln, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

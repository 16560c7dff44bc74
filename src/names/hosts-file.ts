// The hosts file of this machine, read again when it has changed (hosts(5)). c-ares does not read it for DNS queries.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isIP } from 'node:net';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ADDRESSES = 16;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export class HostsFile {
  readonly #path: string;
  #version = '';
  #addresses: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(path = '/etc/hosts') {
    this.#path = path;
  }

  /** Empty: the file does not have the name. `localhost` is loopback also where the file is silent (RFC 6761 §6.3). */
  addressesOf(name: string): readonly string[] {
    this.#refresh();
    const wanted = name.toLowerCase().replace(/\.$/, '');
    const found = this.#addresses.get(wanted);
    if (found) return found;
    return wanted === 'localhost' || wanted.endsWith('.localhost') ? LOOPBACK : [];
  }

  #refresh(): void {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      this.#addresses = new Map();
      this.#version = '';
      return;
    }
    try {
      const { mtimeMs, size, ino } = fstatSync(file);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version === this.#version) return;
      const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
      const read = readSync(file, bytes, 0, bytes.length, 0);
      this.#addresses = parsed(bytes.toString('utf8', 0, read));
      this.#version = version;
    } finally {
      closeSync(file);
    }
  }
}

function parsed(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const known = addresses.get(name.toLowerCase());
      if (known === undefined) addresses.set(name.toLowerCase(), [address]);
      else if (known.length < MAX_ADDRESSES && !known.includes(address)) known.push(address);
    }
  }
  return addresses;
}

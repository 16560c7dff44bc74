// A name server with the records of one test, and how a program is started that asks it alone (RFC 1035 §4, RFC 2782).
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Null if the name is never answered. */
export type Records = Readonly<Record<string, string | readonly Srv[] | null>>;
interface Srv {
  readonly priority: number;
  readonly port: number;
  readonly target: string;
}

const [A, SRV] = [1, 33] as const;
const TTL_S = 5;

export class NameServer {
  readonly #socket: Socket;
  /** The names that were asked for, in order; some are asked for twice, by IPv4 and IPv6. */
  readonly asked: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-names-'));

  /** Addresses by name, and SRV records by `_sip._udp.` and a name. */
  static async open(records: Records): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    return new NameServer(socket, records);
  }

  private constructor(socket: Socket, records: Records) {
    this.#socket = socket;
    socket.on('message', (query, { address, port }) => {
      const name = nameIn(query).name;
      this.asked.push(name);
      if (records[name] !== null) socket.send(answerTo(query, records), port, address);
    });
    writeFileSync(this.#file, `nameserver 127.0.0.1:${socket.address().port}\n`);
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  get #file(): string {
    return join(this.#folder, 'resolv.conf');
  }

  /** The words before a program: it has a resolv.conf of its own, in a mount namespace. */
  get under(): readonly string[] {
    return ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', this.#file];
  }

  close(): void {
    this.#socket.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function nameIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at };
}

function answerTo(query: Buffer, records: Records): Buffer {
  const { name, end } = nameIn(query);
  const type = query.readUInt16BE(end + 1);
  const found = records[name];
  const values: Buffer[] = [];
  if (type === A && typeof found === 'string') values.push(Buffer.from(found.split('.').map(Number)));
  if (type === SRV && Array.isArray(found)) values.push(...found.map(srvData));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // A response, authoritative; NXDOMAIN where there is no such name.
  header.writeUInt16BE(found === undefined ? 0x8403 : 0x8400, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  return Buffer.concat([header, query.subarray(12, end + 5), ...values.map((value) => row(type, value))]);
}

/** A name that is the one in the question. */
function row(type: number, value: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, TTL_S, 0, value.length]);
  return Buffer.concat([head, value]);
}

function srvData({ priority, port, target }: Srv): Buffer {
  const numbers = Buffer.from([0, priority, 0, 1, port >> 8, port & 255]);
  const name = target.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([...numbers, ...name, 0]);
}

// Bytes of responses that clients have not read yet, which the process holds in memory: bounded per connection, account and process
// (T37). An account may hold as much as the process has left, so that accounts that read nothing leave room for the others.
import type { Socket } from 'node:net';

const MIB = 1024 * 1024;
export const MAX_UNSENT = { connection: 2 * MIB, account: 32 * MIB, process: 128 * MIB };
/** The kernel takes so much from a connection that owes nothing, even if the client does not read. */
const SMALL = 16 * 1024;

interface Holder {
  bytes: number;
  /** Bytes that many responses share are held once, such as an account's list of agents. */
  readonly shared: Map<Buffer, number>;
}

export class UnsentBytes {
  readonly #max: typeof MAX_UNSENT;
  readonly #holders = new Map<string, Holder>();
  readonly #connections = new WeakMap<Socket, number>();
  #total = 0;

  constructor(max = MAX_UNSENT) {
    this.#max = max;
  }

  get total(): number {
    return this.#total;
  }

  /** Whether a response may be written. One that is alone on its connection and small always may. */
  admits(account: string, connection: Socket, body: Buffer | string, bytes: number): boolean {
    const queued = this.#connections.get(connection) ?? 0;
    if (queued === 0 && (bytes <= SMALL || this.#total === 0)) return true;
    if (queued > 0 && queued + bytes > this.#max.connection) return false;
    const holder = this.#holders.get(account);
    if (typeof body !== 'string' && holder?.shared.has(body)) return true;
    const left = this.#max.process - this.#total;
    return holder ? holder.bytes + bytes <= Math.min(this.#max.account, left) : bytes <= left;
  }

  /** Whether a page for this account would be refused: then it is not even read. */
  isFull(account: string): boolean {
    const holder = this.#holders.get(account);
    if (!holder) return false;
    return holder.bytes + MIB > Math.min(this.#max.account, this.#max.process - this.#total);
  }

  /** Counts a response that the kernel did not take whole, until it is released; again does nothing. */
  hold(account: string, connection: Socket, body: Buffer | string, bytes: number): () => void {
    const holder = this.#holders.get(account) ?? { bytes: 0, shared: new Map() };
    this.#holders.set(account, holder);
    const release =
      typeof body === 'string' ? this.#add(holder, bytes) : this.#addShared(holder, body, bytes);
    this.#connections.set(connection, (this.#connections.get(connection) ?? 0) + bytes);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      release();
      this.#connections.set(connection, (this.#connections.get(connection) ?? 0) - bytes);
      if (holder.bytes === 0) this.#holders.delete(account);
    };
  }

  #add(holder: Holder, bytes: number): () => void {
    holder.bytes += bytes;
    this.#total += bytes;
    return () => {
      holder.bytes -= bytes;
      this.#total -= bytes;
    };
  }

  #addShared(holder: Holder, body: Buffer, bytes: number): () => void {
    const users = holder.shared.get(body) ?? 0;
    holder.shared.set(body, users + 1);
    if (users === 0) this.#add(holder, bytes);
    return () => {
      const left = (holder.shared.get(body) ?? 0) - 1;
      if (left > 0) return void holder.shared.set(body, left);
      holder.shared.delete(body);
      this.#add(holder, -bytes);
    };
  }
}

// A bridge with one network namespace per node: each node has an address of its own and can be cut off. The tests, PostgreSQL and
// a SIP edge are at the bridge's own address, in the namespace that the tests run in.
import { execFileSync } from 'node:child_process';

let made = 0;

export class NodeNetwork {
  readonly #id = `${process.pid % 10_000}-${++made}`;
  readonly #prefix = `10.${100 + (made % 50)}.${process.pid % 250}`;
  readonly #namespaces: string[] = [];

  constructor() {
    try {
      ip('link', 'add', this.#bridge, 'type', 'bridge');
      ip('address', 'add', `${this.here}/24`, 'dev', this.#bridge);
      ip('link', 'set', this.#bridge, 'up');
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** The address of the tests, of PostgreSQL and of an edge. */
  get here(): string {
    return `${this.#prefix}.1`;
  }

  get network(): string {
    return `${this.#prefix}.0/24`;
  }

  /** The address of the node with that index. */
  address(index: number): string {
    return `${this.#prefix}.${10 + index}`;
  }

  /** Another address at the tests' end, for a phone or a second edge. */
  guest(number: number): string {
    const address = `${this.#prefix}.${254 - number}`;
    ip('address', 'add', `${address}/32`, 'dev', this.#bridge);
    return address;
  }

  /** Makes the namespace of a node; the words that start a program in it. */
  join(index: number): string[] {
    const name = this.#namespace(index);
    if (!this.#namespaces.includes(name)) {
      const cable = `dn${this.#id}-${index}`;
      ip('netns', 'add', name);
      this.#namespaces.push(name);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('link', 'set', cable, 'master', this.#bridge, 'up');
      for (const words of [
        ['link', 'set', 'lo', 'up'],
        ['address', 'add', `${this.address(index)}/24`, 'dev', 'eth0'],
        ['link', 'set', 'eth0', 'up'],
        ['route', 'add', 'default', 'via', this.here],
      ]) {
        ip('netns', 'exec', name, 'ip', ...words);
      }
    }
    return ['ip', 'netns', 'exec', name];
  }

  /** Drops what the node exchanges with these, each an address or `address port/tcp`; without any, everything. */
  cut(index: number, ...peers: readonly string[]): void {
    const rules = (way: 'saddr' | 'daddr', port: 'sport' | 'dport') =>
      peers.length === 0
        ? 'meta oifname != "lo" meta iifname != "lo" drop;'
        : peers
            .map((peer) => {
              const [address, service] = peer.split(' ');
              const [number, protocol] = service?.split('/') ?? [];
              return `ip ${way} ${address} ${service ? `${protocol} ${port} ${number} ` : ''}drop;`;
            })
            .join(' ');
    this.#filter(
      index,
      `table inet nodes {
        chain input { type filter hook input priority 0; policy accept; ${rules('saddr', 'sport')} }
        chain output { type filter hook output priority 0; policy accept; ${rules('daddr', 'dport')} }
      }`,
    );
  }

  /** Everything gets through again. */
  heal(index: number): void {
    this.#filter(index, '');
  }

  remove(): void {
    for (const name of this.#namespaces) quietly('netns', 'delete', name);
    quietly('link', 'delete', this.#bridge);
  }

  get #bridge(): string {
    return `db${this.#id}`;
  }

  #namespace(index: number): string {
    return `dialtree-node-${this.#id}-${index}`;
  }

  #filter(index: number, table: string): void {
    execFileSync('ip', ['netns', 'exec', this.#namespace(index), 'nft', '-f', '-'], {
      input: `table inet nodes\ndelete table inet nodes\n${table}\n`,
    });
  }
}

function ip(...words: readonly string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' });
}

function quietly(...words: readonly string[]): void {
  try {
    ip(...words);
  } catch {
    // It was not made, or went with another.
  }
}

// A home behind a router with NAT, as two network namespaces: phones in it have addresses of one private network, and are seen by the
// service at the router's address in another one.
import { execFileSync } from 'node:child_process';

let made = 0;

export class Nat {
  readonly #id = `${process.pid % 10_000}-${++made}`;
  readonly #router = `dialtree-nat-${this.#id}`;
  readonly #home = `dialtree-home-${this.#id}`;
  readonly #outer = `10.${150 + (made % 50)}.${process.pid % 250}`;
  /** The first of the ports that the router uses outside. */
  #ports = 40_000;

  constructor() {
    const cable = `do${this.#id}`;
    try {
      for (const name of [this.#router, this.#home]) ip('netns', 'add', name);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#router);
      ip('address', 'add', `${this.here}/24`, 'dev', cable);
      ip('link', 'set', cable, 'up');
      const within = (name: string, ...words: readonly string[]): void =>
        ip('netns', 'exec', name, 'ip', ...words);
      within(
        this.#router,
        'link',
        'add',
        'lan0',
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'netns',
        this.#home,
      );
      within(this.#router, 'address', 'add', `${this.router}/24`, 'dev', 'eth0');
      for (const address of ['192.168.77.1', '10.99.77.1'])
        within(this.#router, 'address', 'add', `${address}/24`, 'dev', 'lan0');
      for (const link of ['eth0', 'lan0']) within(this.#router, 'link', 'set', link, 'up');
      for (const address of [this.phone, this.pbx])
        within(this.#home, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      for (const link of ['lo', 'eth0']) within(this.#home, 'link', 'set', link, 'up');
      within(this.#home, 'route', 'add', 'default', 'via', '192.168.77.1');
      ip('netns', 'exec', this.#router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
      this.#translate();
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** The service's address. */
  get here(): string {
    return `${this.#outer}.1`;
  }

  /** Where the service sees the phones. */
  get router(): string {
    return `${this.#outer}.2`;
  }

  /** What a phone believes its address to be. */
  get phone(): string {
    return '192.168.77.10';
  }

  /** Another address there, of the private network that the service has, too. */
  get pbx(): string {
    return '10.99.77.10';
  }

  /** The words before a program that runs in the home. */
  get inside(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#home];
  }

  /** Forgets every port that it gave: what a phone sends next comes from another one. */
  rebind(): void {
    this.#ports += 1_000;
    this.#translate();
    // Masqueraded connections end with their link (nf_nat_masquerade), and its addresses stay.
    for (const way of ['down', 'up']) ip('netns', 'exec', this.#router, 'ip', 'link', 'set', 'eth0', way);
  }

  /** Packets that have been sent into the home. */
  get packetsIn(): number {
    const rules = execFileSync('ip', [
      'netns',
      'exec',
      this.#router,
      'nft',
      'list',
      'chain',
      'ip',
      'home',
      'tally',
    ]);
    return Number(/packets (\d+)/.exec(String(rules))?.[1]);
  }

  /** UDP to this port of the router goes to the same port of the phone. */
  forward(port: number, to = this.phone): void {
    const rule = `table ip home {\nchain pre {\ntype nat hook prerouting priority -100;\nudp dport ${port} dnat to ${to}\n}\n}\n`;
    this.#nft(rule);
  }

  remove(): void {
    for (const name of [this.#home, this.#router]) {
      try {
        ip('netns', 'delete', name);
      } catch {
        // It was not made.
      }
    }
  }

  #translate(): void {
    const to = `:${this.#ports}-${this.#ports + 999} random`;
    const rule = `oifname "eth0" meta l4proto udp masquerade to ${to}`;
    const nat = `table ip home {\nchain post {\ntype nat hook postrouting priority 100;\n${rule}\n}\n`;
    const tally = `chain tally {\ntype filter hook forward priority 0;\nip daddr ${this.phone} counter\n}\n}\n`;
    this.#nft(`table ip home\ndelete table ip home\n${nat}${tally}`);
  }

  #nft(input: string): void {
    execFileSync('ip', ['netns', 'exec', this.#router, 'nft', '-f', '-'], { input });
  }
}

function ip(...words: readonly string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' });
}

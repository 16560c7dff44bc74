// A network namespace at the end of a cable (veth): people there have addresses of their own, and their packets can be lost.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let made = 0;

export interface Done {
  readonly code: number | null;
  readonly out: string;
}

export class Village {
  readonly #name: string;
  readonly #cable: string;
  readonly #network: string;
  readonly #running = new Set<ChildProcess>();

  /** `people` addresses over there, from .2 on. */
  constructor(people = 1) {
    made += 1;
    const id = `${process.pid % 10_000}-${made}`;
    this.#name = `dialtree-${process.pid}-${made}`;
    this.#cable = `dt${id}`;
    this.#network = `10.${200 + (made % 50)}.${process.pid % 250}`;
    try {
      run('ip', ['netns', 'add', this.#name]);
      run('ip', ['link', 'add', this.#cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#name]);
      run('ip', ['address', 'add', `${this.here}/24`, 'dev', this.#cable]);
      run('ip', ['link', 'set', this.#cable, 'up']);
      this.#inside('ip', ['link', 'set', 'lo', 'up']);
      const addresses = Array.from({ length: people }, (_, i) => `address add ${this.there(i)}/24 dev eth0`);
      execFileSync('ip', ['netns', 'exec', this.#name, 'ip', '-batch', '-'], { input: addresses.join('\n') });
      this.#inside('ip', ['link', 'set', 'eth0', 'up']);
      this.#inside('ip', ['route', 'add', 'default', 'via', this.here]);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Our end of the cable. */
  get here(): string {
    return `${this.#network}.1`;
  }

  there(person = 0): string {
    return `${this.#network}.${2 + person}`;
  }

  get network(): string {
    return `${this.#network}.0/24`;
  }

  /** An address at our end, for somebody in this process who is not on loopback. */
  guest(number: number): string {
    const address = `${this.#network}.${254 - number}`;
    run('ip', ['address', 'add', `${address}/32`, 'dev', this.#cable]);
    return address;
  }

  /** From now on programs over there that do not say who they are have this address. */
  speakAs(person: number): void {
    this.#inside('ip', ['route', 'replace', this.network, 'dev', 'eth0', 'src', this.there(person)]);
  }

  /** Percent of all UDP that is lost on the way, each way by itself. */
  lose(percent: number): void {
    this.#filter(
      ['input', 'output'].map(
        (hook) => `${chain(hook)} meta l4proto udp numgen random mod 1000 < ${percent * 10} drop; }`,
      ),
    );
  }

  /** Nothing gets through in either direction, to and from that address. */
  cut(address: string): void {
    this.#filter([
      `${chain('input')} ip daddr ${address} drop; }`,
      `${chain('output')} ip saddr ${address} drop; }`,
    ]);
  }

  #filter(chains: readonly string[]): void {
    const rules = `table inet hostile\nflush table inet hostile\ntable inet hostile {\n${chains.join('\n')}\n}\n`;
    execFileSync('ip', ['netns', 'exec', this.#name, 'nft', '-f', '-'], { input: rules });
  }

  /** A program over there. */
  run(program: string, words: readonly string[], withinMs: number, input = ''): Promise<Done> {
    const child = spawn('ip', ['netns', 'exec', this.#name, program, ...words], { cwd: root });
    this.#running.add(child);
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes) => {
        out += String(bytes);
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(late);
        this.#running.delete(child);
        resolve({ code, out });
      });
    });
  }

  /** One of the programs beside this file, which reads JSON and writes a line of JSON. */
  async program<Result>(name: string, question: object, withinMs: number): Promise<Result> {
    const words = ['--import', 'tsx', `test/hostile/support/${name}.ts`, JSON.stringify(question)];
    const { code, out } = await this.run(process.execPath, words, withinMs);
    const line = out.split('\n').find((each) => each.startsWith('{'));
    if (code !== 0 || line === undefined) throw new Error(`${name} ended with ${code}: ${out}`);
    return JSON.parse(line) as Result;
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    for (const words of [
      ['link', 'delete', this.#cable],
      ['netns', 'delete', this.#name],
    ]) {
      try {
        run('ip', words);
      } catch {
        // It was not made, or went with the other.
      }
    }
  }

  #inside(program: string, words: readonly string[]): void {
    run('ip', ['netns', 'exec', this.#name, program, ...words]);
  }
}

const chain = (hook: string): string => `chain ${hook} { type filter hook ${hook} priority 0; policy accept;`;

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: 'pipe' });
}

// Kamailio with the configuration of deploy/kamailio in front of nodes.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../phones/support/program.ts';
import { sleep } from './report.ts';

interface SipAddress {
  readonly host: string;
  readonly port: number;
}

export interface EdgeOptions {
  /** Its own address. */
  readonly host: string;
  /** By default a free one. */
  readonly port?: number;
  /** Lines of edge.cfg beside the listening addresses, such as `#!define WITHOUT_FAILOVER`. */
  readonly settings?: readonly string[];
  /** PEM files: it listens on TLS, too. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

const CONFIGURATION = fileURLToPath(new URL('../../../deploy/kamailio/kamailio.cfg', import.meta.url));
const run = promisify(execFile);

export class Edge {
  readonly sip: SipAddress;
  readonly tlsPort: number;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #said = '';

  static async open(nodes: readonly SipAddress[], options: EdgeOptions): Promise<Edge> {
    const edge = new Edge(nodes, options, options.port ?? (await freePort(options.host)));
    try {
      await edge.serves(nodes.length);
    } catch (error) {
      await edge.close();
      throw error;
    }
    return edge;
  }

  private constructor(nodes: readonly SipAddress[], { host, settings = [], tls }: EdgeOptions, port: number) {
    this.sip = { host, port };
    this.tlsPort = port + 1;
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-edge-'));
    const at = (name: string): string => join(this.#folder, name);
    copyFileSync(CONFIGURATION, at('kamailio.cfg'));
    const lines = [
      `#!define NODES_FILE "${at('dispatcher.list')}"`,
      `#!define CONTROL "unix:${at('control')}"`,
      ...settings,
      `listen=udp:${host}:${port}`,
      `listen=tcp:${host}:${port}`,
      ...(tls
        ? [
            '#!define WITH_TLS',
            `#!define EDGE_CERTIFICATE "${tls.certificate}"`,
            `#!define EDGE_KEY "${tls.key}"`,
            `listen=tls:${host}:${this.tlsPort}`,
          ]
        : []),
    ];
    writeFileSync(at('edge.cfg'), `${lines.join('\n')}\n`);
    this.#write(nodes);
    const words = ['-f', at('kamailio.cfg'), '-DD', '-E', '-m', '64', '-M', '8'];
    const places = ['-Y', this.#folder, '-w', this.#folder, '-P', at('pid')];
    this.#child = spawn('kamailio', [...words, ...places], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.on('data', (bytes) => {
        this.#said = `${this.#said}${bytes}`.slice(-200_000);
      });
    }
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  /** What it printed last. */
  get said(): string {
    return this.#said;
  }

  async command(...words: readonly string[]): Promise<string> {
    const control = join(this.#folder, 'control');
    return (await run('kamcmd', ['-s', `unix:${control}`, ...words])).stdout;
  }

  /** Another list of nodes, without a restart. */
  async setNodes(nodes: readonly SipAddress[]): Promise<void> {
    this.#write(nodes);
    await this.command('dispatcher.reload');
  }

  /** How many nodes are in service. */
  async active(): Promise<number> {
    return (await this.command('dispatcher.list')).split('FLAGS: A').length - 1;
  }

  /** Waits until so many nodes are in service. */
  async serves(count: number, withinMs = 30_000): Promise<void> {
    for (const untilMs = performance.now() + withinMs; ; await sleep(50)) {
      if ((await this.active().catch(() => -1)) === count) return;
      if (performance.now() > untilMs) throw new Error(`not ${count} nodes in service:\n${this.#said}`);
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await this.#gone;
    clearTimeout(late);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(nodes: readonly SipAddress[]): void {
    const lines = nodes.map(({ host, port }) => `1 sip:${host}:${port} 0 0`);
    writeFileSync(join(this.#folder, 'dispatcher.list'), `${lines.join('\n')}\n`);
  }
}

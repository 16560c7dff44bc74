// Kamailio as a provider (test/phones/kamailio/provider.cfg): it registers its customer, and passes calls between it and a switch.
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/phone/eventually.ts';

interface SipAddress {
  readonly host: string;
  readonly port: number;
}

const CONFIGURATION = fileURLToPath(new URL('../kamailio/provider.cfg', import.meta.url));

export class Kamailio {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-provider-'));
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #said = '';

  static async start(own: SipAddress, far: SipAddress, secret: string): Promise<Kamailio> {
    const provider = new Kamailio(own, far, secret);
    const hex = own.port.toString(16).toUpperCase().padStart(4, '0');
    await eventually(
      () => readFileSync('/proc/net/udp', 'utf8').includes(`:${hex} `),
      { withinMs: 30_000 },
      () => `Kamailio does not listen: ${provider.#said}`,
    );
    return provider;
  }

  private constructor(own: SipAddress, far: SipAddress, secret: string) {
    const at = (name: string): string => join(this.#folder, name);
    copyFileSync(CONFIGURATION, at('kamailio.cfg'));
    const values = { SWITCH: `sip:${far.host}:${far.port}`, SWITCH_HOST: far.host, SECRET: secret };
    const settings = Object.entries(values).map(([name, value]) => `#!substdef "/${name}\\b/${value}/"`);
    writeFileSync(at('settings.cfg'), `${settings.join('\n')}\nlisten=udp:${own.host}:${own.port}\n`);
    const words = ['-f', at('kamailio.cfg'), '-DD', '-E', '-m', '32', '-M', '4'];
    this.#child = spawn('kamailio', [...words, '-Y', this.#folder, '-w', this.#folder, '-P', at('pid')], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (bytes) => {
        this.#said = `${this.#said}${bytes}`.slice(-20_000);
      });
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  get said(): string {
    return this.#said;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

// coturn as docs/webrtc.md configures it, on loopback. It says on its output who asked for what.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/phone/eventually.ts';
import { freePort } from './program.ts';

const HOST = '127.0.0.1';

export class Coturn {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #said = '';

  static async start(secret: string): Promise<Coturn> {
    const coturn = new Coturn(secret, await freePort());
    await eventually(
      () => /listener opened on/i.test(coturn.#said),
      { withinMs: 30_000 },
      () => `coturn did not start:\n${coturn.#said}`,
    );
    return coturn;
  }

  private constructor(secret: string, port: number) {
    this.url = `turn:${HOST}:${port}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-coturn-'));
    const lines = [
      'use-auth-secret',
      `static-auth-secret=${secret}`,
      'realm=example.org',
      ...[`listening-ip=${HOST}`, `relay-ip=${HOST}`, `listening-port=${port}`],
      // The service is on this machine.
      'allow-loopback-peers',
      ...['no-cli', 'no-tls', 'no-dtls', 'verbose'],
      ...['log-file=stdout', 'simple-log', `pidfile=${join(this.#folder, 'pid')}`],
      `userdb=${join(this.#folder, 'users')}`,
    ];
    writeFileSync(join(this.#folder, 'turnserver.conf'), `${lines.join('\n')}\n`);
    this.#child = spawn('turnserver', ['-c', join(this.#folder, 'turnserver.conf')], { stdio: 'pipe' });
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (bytes) => {
        this.#said += String(bytes);
      });
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  get said(): string {
    return this.#said;
  }

  async remove(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

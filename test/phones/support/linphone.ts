// Linphone in a terminal (Debian's linphone-cli), without a sound card: it talks from a file. Its commands are typed on standard
// input, as docs/desk-phones.md says.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/phone/eventually.ts';
import { toneWav } from '../../support/phone/tone-recording.ts';
import { freePort } from './program.ts';

const TALK_MS = 60_000;

export class Linphone {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #said = '';

  /** `inside`: the words before its own that start it in another namespace. `more`: further sections of its settings. */
  static async start(toneHz: number, inside: readonly string[] = [], more = ''): Promise<Linphone> {
    const linphone = new Linphone(toneHz, await freePort(), inside, more);
    await linphone.says(/linphonec> /);
    return linphone;
  }

  private constructor(toneHz: number, port: number, inside: readonly string[], more: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-linphone-'));
    mkdirSync(join(this.#folder, '.local/share/linphone'), { recursive: true });
    writeFileSync(join(this.#folder, 'tone.wav'), toneWav(toneHz, TALK_MS));
    writeFileSync(
      join(this.#folder, 'linphonerc'),
      `[sip]\nsip_port=${port}\nsip_tcp_port=-1\nsip_tls_port=-1\n${more}`,
    );
    const [program, ...words] = [...inside, 'linphonec', '-a', '-c', join(this.#folder, 'linphonerc')];
    this.#child = spawn(program ?? '', words, {
      env: { PATH: process.env['PATH'] ?? '', HOME: this.#folder },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (bytes) => {
        this.#said += String(bytes);
      });
    this.#gone = new Promise((resolve) => this.#child.once('exit', () => resolve()));
  }

  type(...lines: readonly string[]): void {
    for (const line of lines) this.#child.stdin?.write(`${line}\n`);
  }

  /** Sound from a file. What it hears it does not write down, whatever it is asked: the other side's hearing is what a test sees. */
  talkFromFile(): void {
    this.type('soundcard use files', `play ${join(this.#folder, 'tone.wav')}`);
  }

  /** Its own numbers of the calls that it has, oldest first; waits until there are so many. */
  async callIds(count: number): Promise<string[]> {
    const from = this.#said.length;
    const found = (): string[] => [
      ...new Set([...this.#said.slice(from).matchAll(/^(\d+)\s+\|/gm)].map(([, id]) => id ?? '')),
    ];
    this.type('calls');
    return eventually(
      () => (found().length >= count ? found() : null),
      {},
      () => `Linphone did not list ${count} calls, but said:\n${this.#said.slice(from)}`,
    );
  }

  /** By that line it calls; waits until it talks, since keys that are typed before are lost. */
  async calls(line: string): Promise<void> {
    const from = this.#said.length;
    this.type(line);
    await this.says(/Media streams established/, from);
  }

  async says(text: RegExp, from = 0): Promise<void> {
    await eventually(
      () => text.test(this.#said.slice(from)),
      {},
      () => `Linphone did not say ${text}, but:\n${this.#said.slice(from)}`,
    );
  }

  async remove(): Promise<void> {
    this.type('quit');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 3_000);
    await this.#gone;
    clearTimeout(timer);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

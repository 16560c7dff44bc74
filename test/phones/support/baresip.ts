// baresip without a sound card: it talks from a file with a tone and writes down what it hears. Told what to do over TCP, in
// netstrings of JSON (its module ctrl_tcp).
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/phone/eventually.ts';
import { Hearing, SAME_TONE_HZ, type Segment } from '../../support/phone/hearing.ts';
import { toneWav } from '../../support/phone/tone-recording.ts';
import { freePort } from './program.ts';

export interface BaresipOptions {
  readonly server: { readonly host: string; readonly port: number };
  readonly user: string;
  /** Without spaces, which its accounts cannot hold. */
  readonly password: string;
  /** What it says. A short file would hang up at its end. */
  readonly toneHz: number;
  readonly answers?: 'manual' | 'auto';
  /** TLS without a look at the certificate. */
  readonly transport?: 'udp' | 'tls';
  /** SRTP: `srtp` offers RTP/AVP with keys, `srtp-mand` RTP/SAVP. */
  readonly encryption?: 'srtp' | 'srtp-mand';
  /** Names of its codecs; G.711 alone by default. */
  readonly codecs?: string;
  /** It subscribes to its messages, and prints what it is sent. */
  readonly showsMessages?: boolean;
  /** The user whose presence it subscribes to; it prints what it is sent. */
  readonly watches?: string;
  /** Its own address, loopback by default. */
  readonly host?: string;
}

interface Event {
  readonly type: string;
  readonly param: string;
}

const MODULES = ['account', 'menu', 'ctrl_tcp', 'g711', 'aufile', 'sndfile'];
const TALK_MS = 60_000;
/** A baresip whose registrar is gone would wait for half a minute. */
const QUIT_MS = 10_000;
const WAV_HEADER = 44;
const SAMPLE_RATE_AT = 24;
const FRAME = 160;

export class Baresip {
  readonly events: Event[] = [];
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #control: Socket | null = null;
  #pending = Buffer.alloc(0);
  #said = '';
  #seen = 0;

  static async start(options: BaresipOptions): Promise<Baresip> {
    const control = await freePort();
    const baresip = new Baresip(options, await freePort(options.host), control);
    baresip.#control = await baresip.#connected(control);
    baresip.#control.on('data', (bytes) => baresip.#take(bytes));
    return baresip;
  }

  private constructor(options: BaresipOptions, port: number, control: number) {
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-baresip-'));
    writeFileSync(join(this.#folder, 'tone.wav'), toneWav(options.toneHz, TALK_MS));
    mkdirSync(join(this.#folder, 'heard'));
    const { server, user, password, answers = 'manual', transport = 'udp', host = '127.0.0.1' } = options;
    const modules = [
      ...MODULES,
      ...(options.codecs?.includes('G722') ? ['g722'] : []),
      ...(options.encryption === undefined ? [] : ['srtp']),
      ...(options.showsMessages ? ['mwi'] : []),
      ...(options.watches === undefined ? [] : ['contact', 'presence']),
    ];
    if (options.watches !== undefined) {
      const watched = `sip:${options.watches}@${server.host}:${server.port}`;
      writeFileSync(join(this.#folder, 'contacts'), `"Colleague" <${watched}>;presence=p2p\n`);
    }
    const encryption = options.encryption === undefined ? '' : `;mediaenc=${options.encryption}`;
    const mwi = options.showsMessages ? ';mwi=yes' : '';
    const account = `<sip:${user}@${server.host}:${server.port};transport=${transport}>`;
    writeFileSync(
      join(this.#folder, 'accounts'),
      `${account};auth_user=${user};auth_pass=${password};regint=60;answermode=${answers};audio_codecs=${options.codecs ?? 'PCMU,PCMA'}${encryption}${mwi}\n`,
    );
    const lines = [
      `sip_listen ${host}:${port}`,
      // Not lo: baresip wants the address here.
      `net_interface ${host}`,
      `ctrl_tcp_listen 127.0.0.1:${control}`,
      `audio_source aufile,${join(this.#folder, 'tone.wav')}`,
      // The file's: without it a codec of 16 kHz is refused, as the file has another rate.
      'ausrc_srate 8000',
      `snd_path ${join(this.#folder, 'heard')}`,
      'module_path /usr/lib/baresip/modules',
      ...modules.map((name) => `${APPLICATIONS.has(name) ? 'module_app' : 'module'} ${name}.so`),
    ];
    writeFileSync(join(this.#folder, 'config'), `${lines.join('\n')}\n`);
    this.#child = spawn('baresip', ['-4', '-s', '-f', this.#folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.on('data', (bytes) => {
        this.#said += String(bytes);
      });
    }
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  /** Everything that it printed, its SIP messages and its answers to commands included. */
  get said(): string {
    return this.#said;
  }

  tell(command: string, params = ''): void {
    const text = JSON.stringify({ command, params, token: command });
    this.#control?.write(`${Buffer.byteLength(text)}:${text},`);
  }

  /** Waits until it was registered so many times since it started. It may be so before anybody listens to its events. */
  async registered(times = 1, withinMs = 30_000): Promise<void> {
    await eventually(
      () => this.#said.split(/\n(?:UDP|TLS) /).filter(isRegistered).length >= times,
      { withinMs },
      () => `baresip was not registered ${times} times:\n${this.#said}`,
    );
  }

  /** The next event of that type, after the one that was waited for last. */
  async happens(type: string, withinMs = 30_000): Promise<Event> {
    const found = await eventually(
      () => {
        const index = this.events.findIndex((event, at) => at >= this.#seen && event.type === type);
        return index < 0 ? null : { index };
      },
      { withinMs },
      () => `baresip did not tell ${type}, but ${this.events.map((each) => each.type)}:\n${this.#said}`,
    );
    this.#seen = found.index + 1;
    return this.events[found.index] ?? { type, param: '' };
  }

  /** Waits until it has heard this tone for so long, counted from the end of what it heard: what plays now. */
  async hears(hz: number, { forMs = 300, withinMs = 30_000 } = {}): Promise<void> {
    const isIt = (segment: Segment | undefined): boolean =>
      typeof segment?.hz === 'number' && Math.abs(segment.hz - hz) < SAME_TONE_HZ;
    await eventually(
      () => {
        const last = this.#heard().at(-1);
        return isIt(last) && last !== undefined && last.toMs - last.fromMs >= forMs;
      },
      { withinMs },
      () => `baresip did not hear ${hz} Hz, but ${JSON.stringify(this.#heard())}`,
    );
  }

  /** Samples heard so far in the newest call. */
  heardMs(): number {
    return this.#heard().at(-1)?.toMs ?? 0;
  }

  /** Leaves as a person would: calls are ended and the registration is taken back. */
  async quit(): Promise<void> {
    this.tell('quit');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), QUIT_MS);
    await this.#gone;
    clearTimeout(late);
    this.#control?.destroy();
  }

  async remove(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.quit();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The newest recording of what came in: 16-bit samples, at 16 kHz of wideband, behind a header whose lengths are only filled in at the end. */
  #heard(): Segment[] {
    const folder = join(this.#folder, 'heard');
    const [newest] = readdirSync(folder)
      .filter((name) => name.endsWith('-dec.wav'))
      .sort()
      .reverse();
    if (newest === undefined) return [];
    const file = readFileSync(join(folder, newest));
    if (file.length < WAV_HEADER) return [];
    const hearing = new Hearing();
    // Every second sample of 16 kHz: the tones of tests are far below 4 kHz.
    const step = 2 * (file.readUInt32LE(SAMPLE_RATE_AT) / 8_000);
    for (let at = WAV_HEADER, i = 0; at + step * FRAME <= file.length; at += step * FRAME, i += 1) {
      const samples = Float64Array.from({ length: FRAME }, (_, n) => file.readInt16LE(at + step * n));
      hearing.add({ atMs: 20 * i, durationMs: 20, samples });
    }
    return hearing.segments();
  }

  async #connected(port: number): Promise<Socket> {
    for (let tries = 0; tries < 600 && this.#child.exitCode === null; tries += 1) {
      const socket = connect(port, '127.0.0.1');
      const open = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (open) return socket.on('error', () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`baresip did not start:\n${this.#said}`);
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const colon = this.#pending.indexOf(':');
      const length = Number(this.#pending.subarray(0, Math.max(0, colon)).toString());
      if (colon < 1 || this.#pending.length < colon + length + 2) return;
      const message = JSON.parse(this.#pending.subarray(colon + 1, colon + 1 + length).toString());
      this.#pending = this.#pending.subarray(colon + length + 2);
      if (message.event === true) this.events.push({ type: message.type, param: message.param ?? '' });
      else this.#said += String(message.data ?? '');
    }
  }
}

/** The answer to a REGISTER that left something registered. */
const isRegistered = (trace: string): boolean =>
  trace.includes('\nSIP/2.0 200 ') && / REGISTER\r?\nContact:/.test(trace);

/** These are loaded last, and unloaded first. */
const APPLICATIONS = new Set(['account', 'menu', 'ctrl_tcp', 'mwi', 'contact', 'presence']);

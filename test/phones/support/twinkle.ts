// Twinkle in a terminal (Debian's twinkle-console). It wants a sound card: PulseAudio without one gives its microphone a tone, and the test
// what it plays. Its commands are typed on standard input.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/phone/eventually.ts';
import { Hearing, SAME_TONE_HZ, type Segment } from '../../support/phone/hearing.ts';
import { toneWav } from '../../support/phone/tone-recording.ts';
import { freePort } from './program.ts';

export interface TwinkleOptions {
  readonly server: { readonly host: string; readonly port: number };
  readonly user: string;
  readonly password: string;
  /** What its microphone hears. */
  readonly toneHz: number;
}

const FRAME = 160;
const TALK_MS = 120_000;

export class Twinkle {
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];
  readonly #gone: Promise<unknown>[] = [];
  #said = '';
  #seen = 0;
  #played = Buffer.alloc(0);

  static async start(options: TwinkleOptions): Promise<Twinkle> {
    const twinkle = new Twinkle();
    try {
      await twinkle.#open(options, await freePort(), await freePort());
      return twinkle;
    } catch (error) {
      await twinkle.remove();
      throw error;
    }
  }

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-twinkle-'));
  }

  type(...lines: readonly string[]): void {
    for (const line of lines) this.#children.at(-1)?.stdin?.write(`${line}\n`);
  }

  /** Waits until it says that, behind what was waited for last. */
  async says(text: RegExp): Promise<void> {
    const found = await eventually(
      () => text.exec(this.#said.slice(this.#seen)),
      {},
      () => `Twinkle did not say ${text}, but:\n${this.#said}`,
    );
    this.#seen += found.index + found[0].length;
  }

  /** Waits until it plays this tone for so long, from now on. */
  async hears(hz: number, { forMs = 300, withinMs = 30_000 } = {}): Promise<void> {
    const from = this.#played.length - (this.#played.length % (2 * FRAME));
    const isIt = ({ hz: heard, fromMs, toMs }: Segment): boolean =>
      typeof heard === 'number' && Math.abs(heard - hz) < SAME_TONE_HZ && toMs - fromMs >= forMs;
    await eventually(
      () => this.#heard(from).some(isIt),
      { withinMs },
      () => `Twinkle did not play ${hz} Hz, but ${JSON.stringify(this.#heard(from))}\n${this.#said}`,
    );
  }

  async remove(): Promise<void> {
    this.type('quit');
    const late = setTimeout(() => this.#children.at(-1)?.kill('SIGKILL'), 3_000);
    await this.#gone.at(-1);
    clearTimeout(late);
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(this.#gone);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #open({ server, user, password, toneHz }: TwinkleOptions, sip: number, rtp: number): Promise<void> {
    const socket = join(this.#folder, 'native');
    mkdirSync(join(this.#folder, '.twinkle'));
    const files = {
      '.asoundrc': ['speaker', 'mic']
        .map(
          (name) =>
            `pcm.${name} { type pulse server "unix:${socket}" device "${name}${name === 'mic' ? '.monitor' : ''}" }`,
        )
        .join('\n'),
      '.twinkle/agent.cfg': [
        `user_name=${user}\nuser_domain=${server.host}:${server.port}\nuser_display=\nauth_name=${user}\nauth_pass=${password}`,
        `registrar=${server.host}:${server.port}\nregister_at_startup=yes\nregistration_time=300`,
        'codecs=g711u,g711a\ndtmf_transport=rfc2833\nauto_answer=no\nask_user_to_refer=no',
      ].join('\n'),
      '.twinkle/twinkle.sys': [
        'dev_ringtone=alsa:speaker\ndev_speaker=alsa:speaker\ndev_mic=alsa:mic\nvalidate_audio_dev=no',
        `sip_port=${sip}\nrtp_port=${rtp}\nplay_ringtone=no\nplay_ringback=no`,
      ].join('\n'),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#folder, name), `${text}\n`);
    writeFileSync(join(this.#folder, 'tone.wav'), toneWav(toneHz, TALK_MS));
    // Without rewinds a sink has 50 ms of latency; Twinkle takes a microphone with more for broken, and sends nothing.
    const sink = (name: string): string[] => [
      '-L',
      `module-null-sink sink_name=${name} norewinds=1 rate=8000 channels=1`,
    ];
    let said = '';
    this.#start(
      'pulseaudio',
      [
        ...['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--disable-shm=yes'],
        ...[...sink('speaker'), ...sink('mic')],
        ...['-L', `module-native-protocol-unix socket=${socket} auth-anonymous=1`],
      ],
      (bytes) => {
        said += String(bytes);
      },
    );
    await eventually(
      () => existsSync(socket),
      {},
      () => `PulseAudio did not start:\n${said}`,
    );
    const raw = ['--server', `unix:${socket}`, '--raw', '--rate=8000', '--channels=1', '--format=s16le'];
    this.#start('pacat', [...raw, '-d', 'mic', join(this.#folder, 'tone.wav')], () => undefined);
    this.#start('parec', [...raw, '--latency-msec=20', '-d', 'speaker.monitor'], (bytes) => {
      this.#played = Buffer.concat([this.#played, bytes]);
    });
    this.#start('twinkle-console', ['agent.cfg'], (bytes) => {
      this.#said += String(bytes);
    });
    await this.says(/registration succeeded/i);
  }

  #start(program: string, words: readonly string[], said: (bytes: Buffer) => void): void {
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.#folder, XDG_RUNTIME_DIR: this.#folder };
    const child = spawn(program, words, { env, cwd: this.#folder });
    for (const output of [child.stdout, child.stderr]) output.on('data', said);
    child.stdin.on('error', () => undefined);
    this.#children.push(child);
    this.#gone.push(new Promise((resolve) => child.once('close', resolve)));
  }

  #heard(from: number): Segment[] {
    const hearing = new Hearing();
    for (let at = from, i = 0; at + 2 * FRAME <= this.#played.length; at += 2 * FRAME, i += 1) {
      const samples = Float64Array.from({ length: FRAME }, (_, n) => this.#played.readInt16LE(at + 2 * n));
      hearing.add({ atMs: 20 * i, durationMs: 20, samples });
    }
    return hearing.segments();
  }
}

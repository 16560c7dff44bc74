// Asterisk 22 of Debian's testing suite, unpacked by .ci/asterisk and started by its own loader: loopback alone, with a configuration of the
// test. Phones of ours behind it are its ears; what no phone asks for (a REFER, an INVITE with Replaces) is asked for by AMI.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { eventually } from '../../support/phone/eventually.ts';
import { toneWav } from '../../support/phone/tone-recording.ts';
import { freePort } from './program.ts';

/** Where the packages were unpacked. */
const root = process.env['ASTERISK_ROOT'];

/** The loader of its own C library, with its libraries: the machine's may be older. Null: it is not here, which is said loudly. */
export function hasAsterisk(): boolean {
  if (root !== undefined && root !== '') {
    const { stdout, stderr } = spawnSync(...started(root, ['-V']), { encoding: 'utf8' });
    // Unpacked and not working is a failure, not a reason to skip.
    if (!stdout.startsWith('Asterisk ')) throw new Error(`Asterisk in ${root} does not start: ${stderr}`);
    return true;
  }
  const missing =
    'ASTERISK_ROOT names no Asterisk (bash .ci/asterisk FOLDER unpacks one): its tests did not run.';
  console.error(`\n*** ${missing} ***\n`);
  it('needs Asterisk', ({ skip }) => skip(missing));
  return false;
}

function librariesOf(folder: string): string {
  const libraries = join(folder, 'usr/lib');
  const name = readdirSync(libraries).find((each) => each.endsWith('-linux-gnu'));
  if (name === undefined) throw new Error(`${libraries} has no libraries`);
  return join(libraries, name);
}

function started(folder: string, words: readonly string[]): [string, string[]] {
  const libraries = librariesOf(folder);
  const loader = readdirSync(libraries).find((each) => each.startsWith('ld-linux'));
  if (loader === undefined) throw new Error(`${libraries} has no loader`);
  return [
    join(libraries, loader),
    ['--library-path', libraries, join(folder, 'usr/sbin/asterisk'), ...words],
  ];
}

export interface AsteriskOptions {
  readonly host: string;
  readonly port: number;
  /** Sections of pjsip.conf and extensions.conf. */
  readonly pjsip: string;
  readonly extensions: string;
  /** Classes of music on hold, each a tone. */
  readonly music: Readonly<Record<string, number>>;
}

export type Fields = Readonly<Record<string, string>>;

const MODULES = [
  ...['res_timing_timerfd', 'res_sorcery_config', 'res_sorcery_memory', 'res_sorcery_astdb', 'res_pjproject'],
  ...[
    'res_pjsip',
    'res_pjsip_session',
    'res_rtp_asterisk',
    'res_srtp',
    'res_pjsip_sdp_rtp',
    'res_pjsip_pubsub',
    'chan_pjsip',
  ],
  ...[
    'res_pjsip_endpoint_identifier_ip',
    'res_pjsip_authenticator_digest',
    'res_pjsip_outbound_authenticator_digest',
  ],
  ...['res_pjsip_outbound_registration', 'res_pjsip_caller_id', 'res_pjsip_diversion', 'res_pjsip_rfc3326'],
  ...[
    'res_pjsip_refer',
    'res_pjsip_header_funcs',
    'res_pjsip_logger',
    'res_pjsip_nat',
    'res_musiconhold',
    'pbx_config',
  ],
  ...[
    'app_dial',
    'app_playback',
    'app_echo',
    'app_exec',
    'app_userevent',
    'app_transfer',
    'app_stack',
    'func_channel',
    'func_callerid',
    'func_logic',
  ],
  ...[
    'func_strings',
    'bridge_simple',
    'bridge_native_rtp',
    'bridge_builtin_features',
    'codec_ulaw',
    'codec_alaw',
  ],
  ...['codec_gsm', 'codec_a_mu', 'codec_resample', 'format_wav', 'format_pcm'],
];
const SECRET = 'ami';

export class Asterisk {
  /** Events of AMI, oldest first. */
  readonly events: Fields[] = [];
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #socket: Socket | null = null;
  #pending = '';
  #said = '';
  #actions = 0;

  static async start(options: AsteriskOptions): Promise<Asterisk> {
    const manager = await freePort();
    const asterisk = new Asterisk(options, manager);
    try {
      asterisk.#socket = await asterisk.#connected(manager);
      asterisk.#socket.on('data', (bytes) => asterisk.#take(String(bytes)));
      await asterisk.act('Login', { Username: 'test', Secret: SECRET });
      await eventually(
        () => asterisk.events.some(({ Event }) => Event === 'FullyBooted'),
        { withinMs: 30_000 },
        () => `Asterisk did not start:\n${asterisk.log}`,
      );
      return asterisk;
    } catch (error) {
      await asterisk.remove();
      throw error;
    }
  }

  private constructor(options: AsteriskOptions, manager: number) {
    if (root === undefined) throw new Error('ASTERISK_ROOT is not set');
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-asterisk-'));
    for (const name of ['run', 'log', 'spool', 'lib', 'db', 'keys']) mkdirSync(join(this.#folder, name));
    const at = (name: string): string => join(this.#folder, name);
    const classes = Object.entries(options.music).map(([name, hz]) => {
      mkdirSync(at(name));
      writeFileSync(at(`${name}/tone.wav`), toneWav(hz, 4_000));
      return `[${name}]\nmode=files\ndirectory=${at(name)}\n`;
    });
    const files = {
      asterisk: [
        `[directories]\nastetcdir => ${this.#folder}\nastmoddir => ${librariesOf(root)}/asterisk/modules`,
        `astvarlibdir => ${at('lib')}\nastdbdir => ${at('db')}\nastkeydir => ${at('keys')}`,
        `astdatadir => ${root}/usr/share/asterisk\nastspooldir => ${at('spool')}\nastrundir => ${at('run')}`,
        `astlogdir => ${at('log')}\n[options]\nverbose = 4`,
      ].join('\n'),
      modules: `[modules]\nautoload=no\n${MODULES.map((name) => `load = ${name}.so`).join('\n')}`,
      manager: [
        `[general]\nenabled=yes\nbindaddr=127.0.0.1\nport=${manager}`,
        `[test]\nsecret=${SECRET}\nread=all\nwrite=all`,
      ].join('\n'),
      logger: '[general]\n[logfiles]\nconsole => notice,warning,error,verbose',
      // Beside the ports of our own programs and of the service; it takes those that are free.
      rtp: '[general]\nrtpstart=7000\nrtpend=9999\nstrictrtp=no',
      musiconhold: classes.join('\n'),
      pjsip: [
        `[global]\ntype=global\ndebug=yes`,
        `[udp]\ntype=transport\nprotocol=udp\nbind=${options.host}:${options.port}`,
        options.pjsip,
      ].join('\n'),
      extensions: options.extensions,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(at(`${name}.conf`), `${text}\n`);
    this.#child = spawn(...started(root, ['-f', '-n', '-C', at('asterisk.conf')]), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (bytes) => {
        this.#said += String(bytes);
      });
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  /** Everything that it said, its SIP messages included. */
  get log(): string {
    return this.#said;
  }

  /** An action of AMI; its response. */
  async act(action: string, fields: Fields = {}): Promise<Fields> {
    const id = String(++this.#actions);
    const lines = Object.entries({ Action: action, ActionID: id, ...fields });
    this.#socket?.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
    const response = await eventually(
      () => this.events.find((each) => each['ActionID'] === id && each['Response'] !== undefined),
      {},
      () => `Asterisk did not answer ${action}:\n${this.log.slice(-4_000)}`,
    );
    if (response['Response'] === 'Error') throw new Error(`${action}: ${response['Message']}`);
    return response;
  }

  /** The next event of that kind with these fields, after `from` (an earlier `events.length`). */
  happens(event: string, fields: Fields = {}, from = 0): Promise<Fields> {
    const wanted = Object.entries({ Event: event, ...fields });
    return eventually(
      () => this.events.slice(from).find((each) => wanted.every(([name, value]) => each[name] === value)),
      { withinMs: 30_000 },
      () => `Asterisk did not tell ${event} ${JSON.stringify(fields)}:\n${this.log.slice(-6_000)}`,
    );
  }

  async variable(channel: string, name: string): Promise<string> {
    return (await this.act('Getvar', { Channel: channel, Variable: name }))['Value'] ?? '';
  }

  async remove(): Promise<void> {
    this.#socket?.destroy();
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 3_000);
    await this.#gone;
    clearTimeout(late);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #connected(port: number): Promise<Socket> {
    for (let tries = 0; tries < 400 && this.#child.exitCode === null; tries += 1) {
      const socket = connect(port, '127.0.0.1');
      const open = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (open) return socket.on('error', () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Asterisk did not start:\n${this.#said}`);
  }

  #take(text: string): void {
    this.#pending += text;
    for (;;) {
      const end = this.#pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const lines = this.#pending.slice(0, end).split('\r\n');
      this.#pending = this.#pending.slice(end + 4);
      const pairs = lines.flatMap((line): [string, string][] => {
        const colon = line.indexOf(': ');
        return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2)]];
      });
      this.events.push(Object.fromEntries(pairs));
    }
  }
}

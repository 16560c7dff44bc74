// Small commands to a media worker in a ring in shared memory: a structured clone costs ten times as much, and the syscalls adapter
// runs no event loop that a message could wake. One thread writes, one reads, neither blocks. A command is a record of sixteen words,
// its kind first; one that does not fit (audio, text) goes by message, see `Posted`.

import { CODECS, codecNamed } from '../codec.ts';
import type { Direction, Early, ListenMode, ToneName } from '../media.ts';
import type { Endpoint } from '../sockets/endpoint.ts';
import type { Agreed } from './agreed.ts';
import type { Command } from './commands.ts';

/** How many commands were written and how many taken, both modulo 2^32. */
const WRITTEN = 0;
const TAKEN = 1;
const HEAD_WORDS = 16;
const RECORD_WORDS = 16;
/** A power of two. */
export const RING_ORDERS = 1_024;
const NONE = -1;

const KINDS = [
  'open',
  'configure',
  'play',
  'play-tone',
  'stop',
  'background',
  'background-tone',
  'bridge',
  'unbridge',
  'tap',
  'stop-recording',
  'listen-in',
  'close',
] as const;
type Kind = (typeof KINDS)[number];
type SmallCommand = Extract<Command, readonly [Kind, ...unknown[]]>;

const DIRECTIONS: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const EARLY: readonly (Early | null)[] = [null, 'verified', 'unverified'];
const TONES: readonly ToneName[] = [
  'missing',
  'ringback',
  'busy',
  'beep',
  'notice',
  'joined',
  'left',
  'hold',
  'silence',
];
const MODES: readonly ListenMode[] = ['monitor', 'whisper', 'barge'];

/** Commands that go by message, and the count of ring commands that precede them. */
export interface Posted {
  readonly after: number;
  readonly commands: readonly Command[];
}

export class CommandRing {
  readonly #words: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer((HEAD_WORDS + RING_ORDERS * RECORD_WORDS) * 4);
  }

  get written(): number {
    return Atomics.load(this.#words, WRITTEN);
  }

  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  /** Before a worker starts. */
  clear(): void {
    Atomics.store(this.#words, WRITTEN, 0);
    Atomics.store(this.#words, TAKEN, 0);
  }

  /** False when the ring is full, or the command does not fit into a record. */
  write(command: Command): boolean {
    const { written } = this;
    if (((written - this.taken) | 0) >= RING_ORDERS || !isSmall(command)) return false;
    encode(command, this.#words, offsetOf(written));
    Atomics.store(this.#words, WRITTEN, (written + 1) | 0);
    return true;
  }

  /** The next command; only while `taken` differs from `written`. */
  take(): Command {
    const { taken } = this;
    const command = decode(this.#words, offsetOf(taken));
    Atomics.store(this.#words, TAKEN, (taken + 1) | 0);
    return command;
  }
}

const offsetOf = (count: number): number => HEAD_WORDS + (count & (RING_ORDERS - 1)) * RECORD_WORDS;

const SMALL: ReadonlySet<string> = new Set(KINDS);
const isSmall = (command: Command): command is SmallCommand =>
  SMALL.has(command[0]) && (command[0] !== 'configure' || command[2].srtp === null);

function encode(command: SmallCommand, words: Int32Array, at: number): void {
  words[at] = KINDS.indexOf(command[0]);
  words[at + 1] = command[1];
  switch (command[0]) {
    case 'open':
    case 'bridge':
      words[at + 2] = command[2];
      return;
    case 'tap':
      words[at + 2] = Number(command[2]);
      return;
    case 'play':
      words[at + 2] = command[2];
      words[at + 3] = command[3];
      words[at + 4] = Number(command[4]);
      return;
    case 'play-tone':
      words[at + 2] = command[2];
      words[at + 3] = TONES.indexOf(command[3]);
      words[at + 4] = Number(command[4]);
      return;
    case 'background':
      words[at + 2] = command[2] ?? NONE;
      return;
    case 'background-tone':
      words[at + 2] = TONES.indexOf(command[2]);
      return;
    case 'listen-in':
      words[at + 2] = command[2] ?? NONE;
      words[at + 3] = MODES.indexOf(command[3]);
      return;
    case 'configure':
      encodeAgreed(command[2], words, at + 2);
  }
}

function decode(words: Int32Array, at: number): SmallCommand {
  const kind = oneOf(KINDS, words[at]);
  const stream = words[at + 1] ?? NONE;
  const second = words[at + 2] ?? NONE;
  switch (kind) {
    case 'open':
    case 'bridge':
      return [kind, stream, second];
    case 'tap':
      return [kind, stream, second === 1];
    case 'play':
      return [kind, stream, second, words[at + 3] ?? NONE, words[at + 4] === 1];
    case 'play-tone':
      return [kind, stream, second, oneOf(TONES, words[at + 3]), words[at + 4] === 1];
    case 'background':
      return [kind, stream, second === NONE ? null : second];
    case 'background-tone':
      return [kind, stream, oneOf(TONES, second)];
    case 'listen-in':
      return [kind, stream, second === NONE ? null : second, oneOf(MODES, words[at + 3])];
    case 'configure':
      return [kind, stream, decodeAgreed(words, at + 2)];
    default:
      return [kind, stream];
  }
}

function encodeAgreed(agreed: Agreed, words: Int32Array, at: number): void {
  const { signalling } = agreed;
  words[at] = codecNamed(agreed.codec).index;
  words[at + 1] = DIRECTIONS.indexOf(agreed.direction);
  words[at + 2] = agreed.frames;
  words[at + 3] = agreed.payloadType | ((agreed.eventPayloadType ?? NONE) << 8);
  // Two ports share a word; the port of `signalling` has no meaning.
  words[at + 4] = agreed.remote.port | (agreed.remoteRtcpPort << 16);
  words[at + 5] = Number(signalling !== null) | (EARLY.indexOf(agreed.early) << 1);
  writeAddress(agreed.remote, words, at + 6);
  if (signalling) writeAddress(signalling, words, at + 10);
}

function decodeAgreed(words: Int32Array, at: number): Agreed {
  const payloadTypes = words[at + 3] ?? 0;
  const ports = words[at + 4] ?? 0;
  const flags = words[at + 5] ?? 0;
  return {
    remote: readAddress(words, at + 6, ports & 0xffff),
    remoteRtcpPort: ports >>> 16,
    signalling: (flags & 1) === 1 ? readAddress(words, at + 10, 0) : null,
    codec: oneOf(CODECS, words[at]).name,
    payloadType: payloadTypes & 0xff,
    eventPayloadType: payloadTypes < 0 ? null : payloadTypes >> 8,
    frames: words[at + 2] ?? 1,
    direction: oneOf(DIRECTIONS, words[at + 1]),
    early: oneOf(EARLY, flags >> 1),
    srtp: null,
  };
}

function writeAddress({ a, b, c, d }: Endpoint, words: Int32Array, at: number): void {
  words[at] = a;
  words[at + 1] = b;
  words[at + 2] = c;
  words[at + 3] = d;
}

const readAddress = (words: Int32Array, at: number, port: number): Endpoint => ({
  a: words[at] ?? 0,
  b: words[at + 1] ?? 0,
  c: words[at + 2] ?? 0,
  d: words[at + 3] ?? 0,
  port,
});

function oneOf<T>(names: readonly T[], index: number | undefined): T {
  const name = names[index ?? NONE];
  if (name === undefined) throw new Error(`invalid command: ${index} is not the index of a name`);
  return name;
}

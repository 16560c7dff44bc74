// The messages of a stream, as JSON text: the de-facto protocol of media streams, so that existing voice bots work unchanged.
// Numbers of messages and chunks, and times, are text. What bots send is hostile until it is read here.
import { createHash } from 'node:crypto';
import { isSettable, MAX_VALUE, MAX_VARIABLES } from '../flow/variables.ts';
import type { StreamFacts } from './thread-messages.ts';

export const MAX_MARK_NAME = 256;
const MAX_DESTINATION = 200;

/** A prefix and 32 hex digits: those of a UUID, or of the hash of another id. */
export function sidOf(prefix: 'MZ' | 'AC' | 'CA', id: string): string {
  const bare = id.replaceAll('-', '').toLowerCase();
  const digits = /^[0-9a-f]{32}$/.test(bare) ? bare : createHash('sha256').update(id).digest('hex');
  return prefix + digits.slice(0, 32);
}

export const CONNECTED = '{"event":"connected","protocol":"Call","version":"1.0.0"}';

/** Writes the messages of one stream, and numbers them. */
export class MessageWriter {
  readonly #facts: StreamFacts;
  #sequence = 0;
  #chunk = 0;

  constructor(facts: StreamFacts) {
    this.#facts = facts;
  }

  start(): string {
    const { streamSid, accountSid, callSid, parameters: customParameters } = this.#facts;
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const start = { streamSid, accountSid, callSid, tracks: ['inbound'], customParameters, mediaFormat };
    return JSON.stringify({ event: 'start', sequenceNumber: this.#next(), streamSid, start });
  }

  /** `payload`: 20 ms in base64. Fifty a second for each call: written by hand. */
  media(payload: string): string {
    const timestamp = this.#chunk * 20;
    this.#chunk++;
    return `{"event":"media","sequenceNumber":"${this.#next()}","streamSid":"${this.#facts.streamSid}","media":{"track":"inbound","chunk":"${this.#chunk}","timestamp":"${timestamp}","payload":"${payload}"}}`;
  }

  /** Audio that the bot was not ready for: its time passes all the same. */
  skipMedia(): void {
    this.#chunk++;
  }

  dtmf(digit: string): string {
    return this.#message('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  mark(name: string): string {
    return this.#message('mark', { mark: { name } });
  }

  stop(): string {
    const { accountSid, callSid } = this.#facts;
    return this.#message('stop', { stop: { accountSid, callSid } });
  }

  #message(event: string, members: object): string {
    const { streamSid } = this.#facts;
    return JSON.stringify({ event, sequenceNumber: this.#next(), streamSid, ...members });
  }

  #next(): string {
    this.#sequence++;
    return String(this.#sequence);
  }
}

export type BotMessage =
  | { readonly event: 'media'; readonly audio: Buffer }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'clear' }
  | { readonly event: 'transfer'; readonly destination: string }
  | { readonly event: 'variables'; readonly values: { readonly [variable: string]: string } }
  /** One that we do not know: later versions of the protocol may have it. */
  | { readonly event: 'unknown' };

const UNKNOWN: BotMessage = { event: 'unknown' };
const CLEAR: BotMessage = { event: 'clear' };

/** Text: why it cannot be read. */
export function readMessage(text: string): BotMessage | string {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isObject(message) || typeof message['event'] !== 'string') return 'it has no event';
  switch (message['event']) {
    case 'media': {
      const payload = memberOf(message['media'], 'payload');
      return typeof payload === 'string'
        ? { event: 'media', audio: Buffer.from(payload, 'base64') }
        : 'media has no payload';
    }
    case 'mark': {
      const name = memberOf(message['mark'], 'name');
      return typeof name === 'string' && name.length <= MAX_MARK_NAME
        ? { event: 'mark', name }
        : `the name of a mark is not text of at most ${MAX_MARK_NAME} characters`;
    }
    case 'clear':
      return CLEAR;
    case 'transfer':
      return readTransfer(message);
    case 'variables':
      return readVariables(message['variables']);
    default:
      return UNKNOWN;
  }
}

/** `{ "event": "transfer", "transfer": { "destination" } }`, or with the member beside `event`. */
function readTransfer(message: Record<string, unknown>): BotMessage | string {
  const destination = memberOf(message['transfer'], 'destination') ?? message['destination'];
  return typeof destination === 'string' && destination.length <= MAX_DESTINATION
    ? { event: 'transfer', destination }
    : 'transfer has no destination';
}

/** Names that cannot be set are left out; numbers and truth values become text. */
function readVariables(given: unknown): BotMessage | string {
  if (!isObject(given)) return 'variables has no object of texts';
  const values: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (values.length >= MAX_VARIABLES) break;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (isSettable(name) && isPlain) values.push([name, String(value).slice(0, MAX_VALUE)]);
  }
  return { event: 'variables', values: Object.fromEntries(values) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

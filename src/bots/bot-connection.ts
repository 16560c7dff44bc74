// One bot: its WebSocket, what goes to it and what comes from it. It is connected once, and every bound that it breaks ends it: the call
// goes on elsewhere, and no other call notices.
import { WebSocket } from 'ws';
import type { StreamFailure, StreamOutcome } from '../flow/stream-phase.ts';
import { MAX_VARIABLES } from '../flow/variables.ts';
import { BotEnd } from '../media/bots/bot-ring.ts';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { Bucket } from './allowance.ts';
import { Playout } from './playout.ts';
import type { BotLimits, BotOrder, BotReport } from './thread-messages.ts';
import { CONNECTED, MessageWriter, readMessage } from './wire.ts';

const LIMITS: BotLimits = { connectMs: 5_000, unreadMs: 10_000 };
/** 60 s of audio in base64, and some. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** Audio that the bot does not read: beyond this, frames are left out. */
const MAX_UNREAD_BYTES = 65_536;
/** Bytes of all unsent messages together: beyond this the stream ends at once. */
const MAX_WAITING_BYTES = 262_144;
/** Empty ones cost time, and count neither as messages nor as bytes of one. */
const MAX_FRAGMENTS = 256;
const PING_MS = 10_000;
/** The time that a closed connection has to say goodbye. */
const CLOSE_MS = 2_000;
/** A minute of audio may come at once, in messages of 20 ms. Pings and pongs count as messages. */
const MESSAGES = { most: 5_000, perSecond: 500 } as const;
/** As they come from the network, headers of frames included. */
const BYTES = { most: 2_097_152, perSecond: 131_072 } as const;
/** Transfers and variables: each is written into the trail. Variables that stay as they were do not count. */
const ASKED = { most: 20, perSecond: 1 } as const;
/** One that sends too much has no more than it takes to send the close frame. */
const FLOODING_CLOSE_MS = 100;
/** RFC 6455 §7.4.1: policy violation. */
const FLOODING_CODE = 1008;
/** RFC 6455 §7.4.1: normal, and a close frame without a code. */
const NORMAL: ReadonlySet<number> = new Set([1000, 1005]);

/** Shared by all connections of the thread. */
const frame = Buffer.alloc(160);

type Open = Extract<BotOrder, { readonly do: 'open' }>;

export interface BotConnectionHost {
  readonly safeFetch: Pick<SafeFetch, 'addressesFor'>;
  readonly limits?: BotLimits | undefined;
  report(report: BotReport): void;
  /** Nothing more is to be done for it. */
  forget(id: number): void;
}

export class BotConnection {
  readonly #id: number;
  readonly #order: Open;
  readonly #host: BotConnectionHost;
  readonly #limits: BotLimits;
  readonly #ring: BotEnd;
  readonly #playout: Playout;
  readonly #writer: MessageWriter;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  readonly #asked: Bucket;
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isOver = false;
  #unreadSinceMs: number | null = null;
  #pingMs = Number.POSITIVE_INFINITY;
  #hasAnswered = true;
  /** What the last ping said that was not answered. */
  #pinged: Buffer | null = null;
  /** Bytes that the connection has read; zero before it is open. */
  #bytesRead: () => number = () => 0;
  #countedBytes = 0;
  /** What the call knows of the bot's variables. */
  readonly #told = new Map<string, string>();
  /** Keys that came before it was open. */
  #keys = '';

  constructor(order: Open, host: BotConnectionHost, nowMs: number) {
    this.#id = order.id;
    this.#order = order;
    this.#host = host;
    this.#limits = host.limits ?? LIMITS;
    this.#ring = new BotEnd(order.ring);
    this.#playout = new Playout(this.#ring);
    this.#writer = new MessageWriter(order.facts);
    this.#messages = new Bucket(MESSAGES.most, MESSAGES.perSecond, nowMs);
    this.#bytes = new Bucket(BYTES.most, BYTES.perSecond, nowMs);
    this.#asked = new Bucket(ASKED.most, ASKED.perSecond, nowMs);
  }

  /** Never rejects. */
  async connect(): Promise<void> {
    const { url, headers, facts } = this.#order;
    const late = setTimeout(() => this.#fail('timeout'), this.#limits.connectMs);
    try {
      const target = await this.#host.safeFetch.addressesFor(url.replace(/^ws/i, 'http'), {
        httpsOnly: true,
        account: facts.accountSid,
      });
      if (this.#isOver) return;
      if (!target.ok) {
        this.#fail(target.fault === 'name_unknown' ? 'unreachable' : 'refused');
        return;
      }
      const socket = new WebSocket(url, {
        headers: { ...headers },
        // The addresses that were checked, whatever DNS says by now.
        lookup: target.lookup,
        handshakeTimeout: this.#limits.connectMs,
        maxPayload: MAX_MESSAGE_BYTES,
        maxFragments: MAX_FRAGMENTS,
        autoPong: false,
        perMessageDeflate: false,
        followRedirects: false,
      });
      this.#socket = socket;
      this.#listen(socket);
      await new Promise((resolve) => {
        socket.once('open', resolve);
        socket.once('close', resolve);
      });
    } catch {
      this.#fail('refused');
    } finally {
      clearTimeout(late);
    }
  }

  sendKey(key: string): void {
    if (this.#isOpen) this.#send(this.#writer.dtmf(key));
    else if (this.#keys.length < 32) this.#keys += key;
  }

  /** Every few milliseconds. */
  poll(nowMs: number): void {
    if (!this.#isOpen || this.#isOver) return;
    while (!this.#isOver && this.#ring.take(frame)) this.#sendFrame(nowMs);
    for (const name of this.#playout.poll()) this.#send(this.#writer.mark(name));
    if (!this.#isWithinBounds(0, nowMs)) return;
    if (this.#pinged) this.#pong();
    if (nowMs >= this.#pingMs) this.#ping(nowMs);
  }

  /** The call goes on elsewhere, or has ended: nothing is reported. */
  close(): void {
    if (this.#isOver) return;
    if (this.#isOpen) this.#send(this.#writer.stop());
    if (!this.#isOver) this.#finish(1000);
  }

  #listen(socket: WebSocket): void {
    socket.on('open', () => this.#opened());
    socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    socket.on('upgrade', ({ socket: connection }) => {
      this.#bytesRead = () => connection.bytesRead;
      this.#countedBytes = connection.bytesRead;
    });
    socket.on('ping', (data) => {
      // RFC 6455 §5.5.3: of several pings the last alone need be answered.
      if (this.#isWithinBounds(1)) this.#pinged = Buffer.from(data);
    });
    socket.on('pong', () => {
      if (this.#isWithinBounds(1)) this.#hasAnswered = true;
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      this.#fail('status', `status ${response.statusCode ?? 0}`);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => this.#failed(error));
    socket.on('close', (code) => this.#closed(code));
  }

  #opened(): void {
    if (this.#isOver) return;
    this.#isOpen = true;
    this.#pingMs = performance.now() + PING_MS;
    this.#ring.skip();
    this.#send(CONNECTED);
    this.#send(this.#writer.start());
    this.#host.report({ type: 'opened', id: this.#id });
    for (const key of this.#keys) this.#send(this.#writer.dtmf(key));
  }

  #sendFrame(nowMs: number): void {
    const unread = this.#socket?.bufferedAmount ?? 0;
    if (unread <= MAX_UNREAD_BYTES) {
      this.#unreadSinceMs = null;
      this.#send(this.#writer.media(frame.toString('base64')));
      return;
    }
    this.#writer.skipMedia();
    this.#unreadSinceMs ??= nowMs;
    if (nowMs - this.#unreadSinceMs > this.#limits.unreadMs) this.#fail('broken', 'the bot does not read');
  }

  #ping(nowMs: number): void {
    if (!this.#hasAnswered) {
      this.#fail('broken', 'the bot does not answer');
      return;
    }
    this.#pingMs = nowMs + PING_MS;
    this.#hasAnswered = false;
    this.#socket?.ping();
  }

  /** Nothing is written while much waits: a bot that does not read is sent no pongs. */
  #pong(): void {
    const socket = this.#socket;
    if (!this.#pinged || socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) return;
    socket.pong(this.#pinged);
    this.#pinged = null;
  }

  /** False: it is over, or has just sent too much. */
  #isWithinBounds(messages: number, nowMs = performance.now()): boolean {
    if (this.#isOver) return false;
    const read = this.#bytesRead();
    const bytes = read - this.#countedBytes;
    this.#countedBytes = read;
    if (this.#messages.take(messages, nowMs) && this.#bytes.take(bytes, nowMs)) return true;
    this.#fail('flooding', 'too many messages');
    return false;
  }

  #received(data: unknown, isBinary: boolean): void {
    const nowMs = performance.now();
    if (!this.#isWithinBounds(1, nowMs)) return;
    this.#hasAnswered = true;
    const message = isBinary ? 'it is not text' : readMessage(String(data));
    if (typeof message === 'string') {
      this.#fail('malformed', message);
      return;
    }
    switch (message.event) {
      case 'media':
        if (!this.#playout.add(message.audio)) this.#fail('flooding', 'more than 60 s of audio wait');
        return;
      case 'mark':
        if (!this.#playout.mark(message.name)) this.#fail('flooding', 'too many marks wait');
        return;
      case 'clear':
        for (const name of this.#playout.clear()) this.#send(this.#writer.mark(name));
        return;
      case 'transfer':
      case 'variables':
        this.#ask(message, nowMs);
        return;
      case 'unknown':
        return;
      default:
        message satisfies never;
    }
  }

  #ask(message: Exclude<ReturnType<typeof readMessage>, string>, nowMs: number): void {
    const id = this.#id;
    const values = message.event === 'variables' ? this.#changed(message.values) : null;
    if (values && Object.keys(values).length === 0) return;
    if (!this.#asked.take(1, nowMs)) this.#fail('flooding', 'too many transfers or variables');
    else if (message.event === 'transfer')
      this.#host.report({ type: 'transfer', id, destination: message.destination });
    else if (values) this.#host.report({ type: 'variables', id, values });
  }

  /** Those that are new or have another value. */
  #changed(values: { readonly [variable: string]: string }): { readonly [variable: string]: string } {
    const changed = Object.entries(values).filter(([name, value]) => this.#told.get(name) !== value);
    for (const [name, value] of changed) {
      // A call takes no more names than these.
      if (this.#told.has(name) || this.#told.size < MAX_VARIABLES) this.#told.set(name, value);
    }
    return Object.fromEntries(changed);
  }

  #failed(error: NodeJS.ErrnoException): void {
    const known = FAILURES[error.code ?? ''];
    if (known) this.#fail(known);
    else this.#fail(this.#isOpen ? 'broken' : 'unreachable');
  }

  #closed(code: number): void {
    if (this.#isOver) return;
    if (!this.#isOpen) this.#fail('unreachable');
    else if (NORMAL.has(code)) this.#end({ ok: true }, 1000);
    else this.#fail('broken', code === 1006 ? '' : `close code ${code}`);
  }

  #fail(failure: StreamFailure, detail = ''): void {
    this.#end({ ok: false, failure, detail }, CLOSE_CODES[failure] ?? 1011);
  }

  #end(outcome: StreamOutcome, code: number): void {
    if (this.#isOver) return;
    this.#host.report({ type: 'ended', id: this.#id, outcome });
    this.#finish(code);
  }

  #finish(code: number): void {
    this.#isOver = true;
    this.#host.forget(this.#id);
    this.#pinged = null;
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    // A bot that does not read learns nothing by a close frame.
    if (socket.readyState === WebSocket.CONNECTING || socket.bufferedAmount > MAX_UNREAD_BYTES) {
      socket.terminate();
      return;
    }
    if (socket.readyState === WebSocket.OPEN) socket.close(code);
    // What a flooding bot sends meanwhile is not even read.
    if (code === FLOODING_CODE) socket.pause();
    const gone = setTimeout(() => socket.terminate(), code === FLOODING_CODE ? FLOODING_CLOSE_MS : CLOSE_MS);
    socket.once('close', () => clearTimeout(gone));
  }

  #send(text: string): void {
    const socket = this.#socket;
    if (this.#isOver || socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) this.#fail('broken', 'the bot does not read');
    else socket.send(text);
  }
}

/** The error codes of ws, which reads what the other side sends (RFC 6455). */
const FAILURES: Readonly<Record<string, StreamFailure>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'too-large',
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 'too-large',
  WS_ERR_INVALID_UTF8: 'malformed',
  WS_ERR_INVALID_OPCODE: 'malformed',
  WS_ERR_INVALID_CLOSE_CODE: 'malformed',
  WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH: 'malformed',
  WS_ERR_UNEXPECTED_RSV_1: 'malformed',
  WS_ERR_UNEXPECTED_RSV_2_3: 'malformed',
  WS_ERR_UNEXPECTED_MASK: 'malformed',
  WS_ERR_EXPECTED_FIN: 'malformed',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'flooding',
};

/** What the bot is told, where the connection is whole. */
const CLOSE_CODES: Partial<Record<StreamFailure, number>> = {
  malformed: 1007,
  'too-large': 1009,
  flooding: FLOODING_CODE,
};

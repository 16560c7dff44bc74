// Notices by LISTEN and NOTIFY: one connection that listens to one channel, payload `topic text`. A connection pooler (PgBouncer in
// transaction mode) accepts LISTEN and delivers nothing, and a dead network path is silent: so a probe is sent by another connection
// every few seconds. As long as probes are not heard, subscribers are called every second to read for themselves.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Topics } from '../memory/topics.ts';
import { type Notices, noticePayload } from '../ports/notices.ts';

export const CHANNEL = 'dialtree';
const POLL_MS = 1000;
const PROBE_EVERY_MS = 15_000;
const PROBE_HEARD_MS = 2000;
const CONNECT_MS = 2000;
const PROBE = 'probe';

export interface PostgresNoticesParts {
  readonly url: string;
  /** By another connection than the one that listens. */
  readonly publish: (payload: string) => Promise<void>;
  readonly onConnectionError: (error: Error) => void;
  readonly failed: (error: unknown) => void;
}

export class PostgresNotices implements Notices {
  readonly #parts: PostgresNoticesParts;
  readonly #topics: Topics;
  readonly #timer: NodeJS.Timeout;
  /** Connected or connecting. */
  #client: pg.Client | null = null;
  /** A probe was heard on this connection, and none was lost since. */
  #isListening = false;
  #probe: { readonly text: string; readonly sentMs: number; heard: boolean } | null = null;

  constructor(parts: PostgresNoticesParts) {
    this.#parts = parts;
    this.#topics = new Topics(parts.failed);
    this.#timer = setInterval(() => this.#tick(), POLL_MS).unref();
    void this.#connect();
  }

  publish(topic: string, text: string): Promise<void> {
    return this.#parts.publish(noticePayload(topic, text));
  }

  subscribe(topic: string, heard: (text: string) => void, missed: () => void): () => void {
    return this.#topics.add(topic, { heard, missed });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#drop();
  }

  #tick(): void {
    if (!this.#isListening) this.#topics.missed();
    if (!this.#client) {
      void this.#connect();
      return;
    }
    if (!this.#probe) return;
    const agoMs = performance.now() - this.#probe.sentMs;
    if (!this.#probe.heard && agoMs > PROBE_HEARD_MS) void this.#drop();
    else if (agoMs > PROBE_EVERY_MS) this.#sendProbe();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#parts.url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', (error) => {
      if (this.#client !== client) return;
      this.#parts.onConnectionError(error);
      void this.#drop();
    });
    client.on('end', () => this.#client === client && void this.#drop());
    client.on('notification', ({ payload = '' }) => this.#client === client && this.#heard(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      if (this.#client === client) this.#sendProbe();
      else await client.end();
    } catch {
      if (this.#client === client) await this.#drop();
    }
  }

  #sendProbe(): void {
    const probe = { text: randomUUID(), sentMs: performance.now(), heard: false };
    this.#probe = probe;
    // The database is away: the next tick finds the probe unheard.
    this.#parts.publish(noticePayload(PROBE, probe.text)).catch(() => undefined);
  }

  #heard(payload: string): void {
    const space = payload.indexOf(' ');
    const topic = payload.slice(0, space);
    const text = payload.slice(space + 1);
    if (topic !== PROBE) this.#topics.heard(topic, text);
    else if (text === this.#probe?.text) {
      this.#probe.heard = true;
      if (this.#isListening) return;
      this.#isListening = true;
      this.#topics.missed();
    }
  }

  /** The next tick connects again. */
  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#isListening = false;
    this.#probe = null;
    if (!client) return;
    client.removeAllListeners('notification');
    try {
      await client.end();
    } catch {
      // It never connected.
    }
  }
}

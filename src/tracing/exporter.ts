// Spans on their way to a collector: OTLP/HTTP JSON, in batches, one request at a time. What the collector does not take in time is
// dropped and counted; nothing waits for it.
import { type Attributes, otlpAttributes, otlpSpan, type Span } from './span.ts';

export interface ExporterOptions {
  /** The address of the collector, such as http://collector:4318. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The attributes of the process: service.name and so on. */
  readonly resource: Attributes;
  readonly scopeVersion: string;
  /** Called at most once a minute. */
  readonly onFailure: (reason: string, dropped: number) => void;
}

/** Some 2 MB. */
export const MAX_WAITING = 4096;
export const BATCH = 512;
const EVERY_MS = 2000;
const TIMEOUT_MS = 10_000;
const MAX_TRIES = 3;
const LOG_EVERY_MS = 60_000;
/** OTLP specification, "Retryable Response Codes". */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class SpanExporter {
  readonly counts = { sent: 0, dropped: 0 };
  readonly #options: ExporterOptions;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #sending: Promise<void> | null = null;
  #tries = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#url = `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
    this.#timer = setInterval(() => this.#send(), EVERY_MS).unref();
  }

  add(spans: readonly Span[]): void {
    const room = MAX_WAITING - this.#waiting.length;
    if (room < spans.length)
      this.#dropped(spans.length - Math.max(0, room), 'more spans than the collector takes');
    this.#waiting.push(...spans.slice(0, Math.max(0, room)));
    if (this.#waiting.length >= BATCH) this.#send();
  }

  /** Sends what waits, for at most so long. */
  async close(withinMs = 2000): Promise<void> {
    clearInterval(this.#timer);
    const untilMs = performance.now() + withinMs;
    this.#tries = MAX_TRIES;
    while (performance.now() < untilMs) {
      this.#send();
      if (!this.#sending) return;
      await Promise.race([this.#sending, new Promise((resolve) => setTimeout(resolve, withinMs).unref())]);
    }
  }

  #send(): void {
    if (this.#sending || this.#waiting.length === 0) return;
    const spans = this.#waiting.slice(0, BATCH);
    this.#sending = this.#post(spans)
      .then((outcome) => this.#settle(spans, outcome))
      .finally(() => {
        this.#sending = null;
        if (this.#tries === 0 && this.#waiting.length >= BATCH) this.#send();
      });
  }

  /** Those that were not taken are tried again, at the next turn. */
  #settle(
    spans: readonly Span[],
    outcome: 'taken' | { readonly refused: string; readonly isFinal: boolean },
  ): void {
    if (outcome !== 'taken' && !outcome.isFinal && ++this.#tries < MAX_TRIES) return;
    this.#tries = 0;
    this.#waiting = this.#waiting.slice(spans.length);
    if (outcome === 'taken') this.counts.sent += spans.length;
    else this.#dropped(spans.length, outcome.refused);
  }

  async #post(
    spans: readonly Span[],
  ): Promise<'taken' | { readonly refused: string; readonly isFinal: boolean }> {
    const { headers, resource, scopeVersion } = this.#options;
    const body = {
      resourceSpans: [
        {
          resource: { attributes: otlpAttributes(resource) },
          scopeSpans: [{ scope: { name: 'dialtree', version: scopeVersion }, spans: spans.map(otlpSpan) }],
        },
      ],
    };
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      await response.body?.cancel();
      if (response.ok) return 'taken';
      return { refused: `status ${response.status}`, isFinal: !RETRYABLE.has(response.status) };
    } catch (error) {
      const { message, cause } = error as Error;
      return { refused: cause instanceof Error ? cause.message : message, isFinal: false };
    }
  }

  #dropped(spans: number, reason: string): void {
    this.counts.dropped += spans;
    const nowMs = performance.now();
    if (nowMs - this.#loggedMs < LOG_EVERY_MS) return;
    this.#loggedMs = nowMs;
    this.#options.onFailure(reason, this.counts.dropped);
  }
}

// SMS to a gateway over HTTP: one POST of JSON each (docs/sms.md). The URL is the operator's own, so it may be on a private
// network; redirects are not followed.
import type { OutgoingSms, SendResult, SmsGateway } from '../gateway.ts';

export interface HttpGatewayOptions {
  /** Without user and password. */
  readonly url: string;
  readonly secret: string;
  readonly sender: string;
}

const ANSWER_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_S = 3600;
/** The request was right, the moment was not. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 423, 425, 429]);

export class HttpGateway implements SmsGateway {
  readonly #options: HttpGatewayOptions;

  constructor(options: HttpGatewayOptions) {
    this.#options = options;
  }

  async send({ id, to, text, kind }: OutgoingSms, signal: AbortSignal): Promise<SendResult> {
    const { url, secret, sender } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          ...(secret === '' ? {} : { authorization: `Bearer ${secret}` }),
        },
        body: JSON.stringify({ id, to, from: sender, text, kind }),
      });
      const { status } = response;
      // It has the message: that its answer broke off is no reason to send it again.
      if (status >= 200 && status < 300)
        return { sent: gatewayIdIn(await readAnswer(response).catch(() => '')) };
      await response.body?.cancel().catch(() => undefined);
      const why = `The gateway answered ${status}.`;
      if (status < 500 && !PASSING.has(status)) return { failed: why };
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      const waits = Number.isFinite(seconds) && seconds > 0;
      return waits ? { retry: why, afterMs: Math.min(seconds, MAX_RETRY_AFTER_S) * 1000 } : { retry: why };
    } catch (error) {
      // fetch says only that it failed; its cause says why. Neither holds the secret.
      const { message, cause } = error as Error;
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
      return { retry: `The gateway cannot be reached: ${reason}` };
    }
  }

  async close(): Promise<void> {}
}

/** What is longer than an id needs is not read. */
async function readAnswer({ body }: Response): Promise<string> {
  if (!body) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** `{"id": "…"}`, by which the gateway may report the delivery; anything else is no id. */
function gatewayIdIn(answer: string): string[] {
  try {
    const { id } = JSON.parse(answer) as { id?: unknown };
    return typeof id === 'string' && id.length <= 200 ? [id] : [];
  } catch {
    return [];
  }
}

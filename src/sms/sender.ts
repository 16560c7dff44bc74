// The SMS lane: a job has its message's id; the gateway sends it, and the message records the outcome.
import type { Numbering } from '../domain/numbering.ts';
import type { ClaimedJob } from '../domain/outbox-job.ts';
import { readData } from '../domain/row.ts';
import type { Receipt } from '../domain/sms-message.ts';
import { nextTry, type Patience } from '../outbox/back-off.ts';
import type { JobHandler, Verdict } from '../outbox/lane-runner.ts';
import type { Storage } from '../storage/storage.ts';
import type { SendResult, SmsGateway } from './gateway.ts';

export interface SenderParts {
  readonly storage: Pick<Storage, 'getMessage' | 'getRecord' | 'changeMessages' | 'takeReceipts'>;
  /** Null if none is set. */
  readonly gateway: SmsGateway | null;
  readonly numberingOf: (accountId: string) => Promise<Numbering>;
  readonly epochMs: () => number;
  readonly patience: Patience;
  readonly settled: (outcome: 'sent' | 'failed') => void;
}

/** A text that comes a day late may do more harm than good. */
const NO_GATEWAY = 'No gateway is set: whoever runs the service sets SMS_URL.';
/** Receipts may overtake the answer to what they are about; this many wait for it. */
const MAX_EARLY = 1000;

export class SmsSender {
  readonly #parts: SenderParts;
  readonly #early = new Map<string, Receipt>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  readonly handle: JobHandler = async (job, signal): Promise<Verdict> => {
    const { storage, gateway, numberingOf } = this.#parts;
    const message = await storage.getMessage(job);
    if (!message) return 'done';
    // A try before this one came to its end, and only its job was not settled: the process died, or the network was quick.
    if (message.state === 'failed') return { dead: message.error ?? 'It failed.' };
    if (message.state !== 'queued' && message.state !== 'sending') return 'done';
    if (!gateway) return this.#give(job, { failed: NO_GATEWAY });
    if (message.state === 'queued') await this.#change(job, { state: 'sending' });
    const kind = await this.#kindOf(job.accountId, message.templateId);
    const { id, text } = message;
    const to = (await numberingOf(job.accountId)).canonical(message.to) ?? message.to;
    return this.#give(job, await gateway.send({ id, to, text, kind }, signal));
  };

  readonly received = async (receipts: readonly Receipt[]): Promise<void> => {
    const { storage, epochMs } = this.#parts;
    const { unknown } = await storage.takeReceipts({ receipts, atMs: epochMs() });
    for (const receipt of receipts) {
      if (!unknown.includes(receipt.gatewayId)) continue;
      this.#early.set(receipt.gatewayId, receipt);
      const [oldest] = this.#early.keys();
      if (this.#early.size > MAX_EARLY && oldest !== undefined) this.#early.delete(oldest);
    }
  };

  async #give(job: ClaimedJob, result: SendResult): Promise<Verdict> {
    const { settled, patience, epochMs } = this.#parts;
    if ('sent' in result) {
      await this.#change(job, { state: 'sent', gatewayIds: result.sent });
      settled('sent');
      const early = result.sent.flatMap((id) => this.#early.get(id) ?? []);
      for (const { gatewayId } of early) this.#early.delete(gatewayId);
      if (early.length > 0) await this.received(early);
      return 'done';
    }
    // By the longest wait there may be: what the lane would give up must not stay on its way for ever.
    const lastTry =
      'retry' in result &&
      nextTry(patience, { failures: job.failures + 1, ageMs: epochMs() - job.queuedAtMs }, () => 1) === null;
    const why = 'failed' in result ? result.failed : result.retry;
    if ('failed' in result || lastTry) {
      await this.#change(job, { state: 'failed', error: why });
      settled('failed');
      return { dead: why };
    }
    await this.#change(job, { state: 'sending', error: why });
    return result;
  }

  #change(
    { accountId, id }: ClaimedJob,
    change: { state: 'sending' | 'sent' | 'failed'; error?: string; gatewayIds?: readonly string[] },
  ): Promise<void> {
    const { storage, epochMs } = this.#parts;
    return storage.changeMessages({ changes: [{ accountId, id, ...change }], atMs: epochMs() });
  }

  async #kindOf(accountId: string, templateId: string | null): Promise<string> {
    const row =
      templateId === null
        ? null
        : await this.#parts.storage.getRecord({ accountId, kind: 'sms_template', id: templateId });
    return row ? readData('sms_template', row.json).kind : 'transactional';
  }
}

// Text messages that calls cause, on their way to the database: kept while it is away, never in a call's way.

import type { Clock } from '../../clock.ts';
import { newId } from '../../domain/id.ts';
import type { NewMessage } from '../../domain/sms-message.ts';
import { splitSms } from '../../domain/sms-parts.ts';
import { fillTemplate, type SmsValues } from '../../domain/sms-template.ts';
import type { Action } from '../../flow/call-state.ts';
import { type Flow, resolve } from '../../flow/flow.ts';
import type { MessageStorage } from '../../storage/ports/messages.ts';
import type { CallFacts } from '../records/call-record.ts';
import type { SmsAllowance } from './sms-allowance.ts';

type QueueSms = Extract<Action, { type: 'queue-sms' }>;

export interface SmsWriterParts {
  readonly storage: Pick<MessageStorage, 'queueMessages'>;
  readonly clock: Clock;
  readonly allowance: SmsAllowance;
  readonly failed: (error: unknown, waiting: number) => void;
  /** Messages that were given up, all told so far. */
  readonly lost: (messages: number) => void;
}

const BATCH = 100;
const RETRY_MS = 1000;
export const MAX_WAITING = 10_000;

export class SmsWriter {
  readonly #parts: SmsWriterParts;
  #waiting: NewMessage[] = [];
  #writing: Promise<void> | null = null;
  #cancelRetry: () => void = () => undefined;
  #lost = 0;

  constructor(parts: SmsWriterParts) {
    this.#parts = parts;
  }

  /** The message's id; null: the account may send no more for now, or there is nothing to send. */
  queue(flow: Flow, facts: CallFacts, action: QueueSms): string | null {
    const template = flow.templates?.get(action.template);
    if (!template || !this.#parts.allowance.take(facts.accountId)) return null;
    const text = fillTemplate(template.text, valuesOf(flow, facts, action));
    const createdAtMs = this.#parts.clock.epochMs();
    const id = newId(createdAtMs);
    this.#waiting.push({
      id,
      accountId: facts.accountId,
      callId: facts.id,
      to: action.to,
      templateId: template.id,
      text,
      parts: splitSms(text).parts.length,
      createdAtMs,
    });
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
      this.#tellLost(1);
    }
    if (!this.#writing) void this.#write();
    return id;
  }

  /** Writes what there is; gives up at the first failure. */
  async flush(): Promise<void> {
    this.#cancelRetry();
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write();
  }

  #write(): Promise<void> {
    this.#cancelRetry();
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { storage, clock, failed } = this.#parts;
    // After the call's own turn: several of one moment go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      try {
        const result = await storage.queueMessages({ messages: batch });
        if (result.outcome === 'queued' && result.refused.length > 0) this.#tellLost(result.refused.length);
        const written = new Set(batch);
        this.#waiting = this.#waiting.filter((message) => !written.has(message));
      } catch (error) {
        failed(error, this.#waiting.length);
        this.#cancelRetry = clock.after(RETRY_MS, () => void this.#write());
        return;
      }
    }
  }

  #tellLost(messages: number): void {
    this.#lost += messages;
    this.#parts.lost(this.#lost);
  }
}

function valuesOf(flow: Flow, facts: CallFacts, { node, keys, destination, to }: QueueSms): SmsValues {
  const target = resolve(flow, destination);
  return {
    caller: to,
    name: facts.callerName,
    dialled: facts.dialled,
    option: keys,
    ivr: flow.nodes.get(node)?.name ?? '',
    destination: target?.name ?? '',
    agent: target?.kind === 'agent' ? target.name : '',
  };
}

// SMS that calls send, on their way to the database: kept while it is unavailable.

import { newId } from '../../domain/id.ts';
import type { NewMessage } from '../../domain/sms-message.ts';
import type { Action } from '../../flow/call-state.ts';
import { type Flow, resolve } from '../../flow/flow.ts';
import { splitSms } from '../../kinds/sms-parts.ts';
import { fillTemplate, type SmsValues } from '../../kinds/sms-text.ts';
import type { Clock } from '../../kit/clock.ts';
import { RetryingBatch } from '../../kit/retrying-batch.ts';
import type { Allowance } from '../../sharing/ports/allowance.ts';
import type { MessageStorage } from '../../storage/ports/messages.ts';
import type { CallFacts } from '../records/call-record.ts';
import { type ChosenNumber, ChosenNumbers } from './chosen-numbers.ts';

type Template = NonNullable<ReturnType<NonNullable<Flow['templates']>['get']>>;
export type QueueSms = Extract<Action, { type: 'queue-sms' }>;

export interface SmsWriterParts {
  readonly storage: Pick<MessageStorage, 'queueMessages'>;
  readonly clock: Clock;
  readonly allowance: Allowance;
  readonly failed: (error: unknown, waiting: number) => void;
  /** The number of messages lost so far. */
  readonly lost: (messages: number) => void;
}

const BATCH = 100;
const RETRY_MS = 1000;
export const MAX_WAITING = 10_000;

export class SmsWriter {
  readonly #parts: SmsWriterParts;
  readonly #batch: RetryingBatch<NewMessage>;
  /** Messages whose allowance is asked for. */
  readonly #asked = new Set<Promise<unknown>>();
  readonly #chosen: ChosenNumbers;
  #lost = 0;

  constructor(parts: SmsWriterParts) {
    this.#parts = parts;
    this.#chosen = new ChosenNumbers(() => parts.clock.epochMs());
    this.#batch = new RetryingBatch({
      clock: parts.clock,
      size: BATCH,
      waitMs: 0,
      retryMs: RETRY_MS,
      write: (messages) => this.#write(messages),
      failed: (error) => parts.failed(error, this.#batch.waiting),
    });
  }

  /** The message's id; null: the account may send no more for now, or there is nothing to send. */
  queue(
    flow: Flow,
    facts: CallFacts,
    action: QueueSms,
    chosen: ChosenNumber | null = null,
  ): string | null | Promise<string | null> {
    const template = flow.templates?.get(action.template);
    if (!template || (chosen && !this.#chosen.take(facts.accountId, chosen))) return null;
    const add = (isAllowed: boolean): string | null =>
      isAllowed ? this.#add(template, flow, facts, action) : null;
    const isAllowed = this.#parts.allowance.take(facts.accountId);
    if (!(isAllowed instanceof Promise)) return add(isAllowed);
    const added = isAllowed.then(add);
    this.#asked.add(added);
    void added.catch(() => undefined).then(() => this.#asked.delete(added));
    return added;
  }

  #add(template: Template, flow: Flow, facts: CallFacts, action: QueueSms): string {
    const text = fillTemplate(template.text, valuesOf(flow, facts, action), action.variables);
    const createdAtMs = this.#parts.clock.epochMs();
    const id = newId(createdAtMs);
    this.#batch.add({
      id,
      accountId: facts.accountId,
      callId: facts.id,
      to: action.to,
      templateId: template.id,
      text,
      parts: splitSms(text).parts.length,
      createdAtMs,
    });
    if (this.#batch.waiting > MAX_WAITING) this.#countLost(this.#batch.dropOldest(1).length);
    return id;
  }

  /** Writes what there is; gives up at the first failure. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#asked);
    await this.#batch.flush();
  }

  async #write(messages: readonly NewMessage[]): Promise<void> {
    const result = await this.#parts.storage.queueMessages({ messages });
    if (result.outcome === 'queued' && result.refused.length > 0) this.#countLost(result.refused.length);
  }

  #countLost(messages: number): void {
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
    page: facts.web?.page ?? '',
    button: facts.web?.button ?? '',
  };
}

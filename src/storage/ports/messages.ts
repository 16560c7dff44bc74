// Text messages and the state of their delivery.
import type { MessageChange, NewMessage, Receipt, SmsMessage, SmsState } from '../../domain/sms-message.ts';
import type { ByActor } from './audit.ts';
import type { ClaimedBefore, IdempotencyClaim } from './claims.ts';

export type QueueResult = { readonly outcome: 'queued'; readonly refused: readonly string[] } | ClaimedBefore;

export interface MessagePage {
  readonly accountId: string;
  /** Messages with smaller ids. */
  readonly before?: string;
  readonly limit: number;
  readonly state?: SmsState;
  /** One of these. */
  readonly to?: readonly string[];
  readonly callId?: string;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

export interface MessageStorage {
  /** With their jobs, in one transaction. Those that the outbox has no room for are refused, by id. */
  queueMessages(
    input: { messages: readonly NewMessage[]; idempotency?: IdempotencyClaim } & ByActor,
  ): Promise<QueueResult>;
  changeMessages(input: { changes: readonly MessageChange[]; atMs: number }): Promise<void>;
  /** Returns the gateway's ids of parts that were never sent. */
  takeReceipts(input: { receipts: readonly Receipt[]; atMs: number }): Promise<{ unknown: string[] }>;
  getMessage(input: { accountId: string; id: string }): Promise<SmsMessage | null>;
  /** Newest first; without the gateway's ids. */
  listMessages(page: MessagePage): Promise<SmsMessage[]>;
  forgetMessages(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}

// A text message on its way out, and what became of it.

/**
 *   queued ──▶ sending ──▶ sent ──▶ delivered
 *                 │          ├────▶ failed     the network could not deliver it
 *                 │          └────▶ unknown    the network does not know
 *                 └──▶ failed    the gateway refused it, or could not be reached for a day
 */
export const SMS_STATES = ['queued', 'sending', 'sent', 'delivered', 'failed', 'unknown'] as const;
export type SmsState = (typeof SMS_STATES)[number];
/** What the network reports after a message was sent. */
export const RECEIPT_STATES = ['delivered', 'failed', 'unknown'] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

export interface NewMessage {
  /** Made by newId(). The gateway gets it with every attempt, so that it can drop duplicates. */
  readonly id: string;
  readonly accountId: string;
  /** The call that chose the option; null: asked for by the API. */
  readonly callId: string | null;
  readonly to: string;
  readonly templateId: string | null;
  readonly text: string;
  readonly parts: number;
  readonly createdAtMs: number;
}

export interface SmsMessage extends NewMessage {
  readonly state: SmsState;
  /** What the gateway calls its parts. */
  readonly gatewayIds: readonly string[];
  readonly error: string | null;
  readonly updatedAtMs: number;
  readonly sentAtMs: number | null;
}

export interface MessageChange {
  readonly accountId: string;
  readonly id: string;
  readonly state: SmsState;
  readonly error?: string;
  /** With the state `sent`. */
  readonly gatewayIds?: readonly string[];
}

export interface Receipt {
  readonly gatewayId: string;
  readonly state: ReceiptState;
  readonly error: string | null;
}

// PORT to networks that carry SMS. service/open-deliveries.ts chooses the adapter.
import type { Receipt } from '../domain/sms-message.ts';

export interface OutgoingSms {
  /** The same with every try. */
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /** 'transactional' unless a template says otherwise. */
  readonly kind: string;
}

export type SendResult =
  /** The gateway's ids of the parts, for receipts; none: no receipts will come. */
  | { readonly sent: readonly string[] }
  | { readonly retry: string; readonly afterMs?: number }
  | { readonly failed: string };

export interface SmsGateway {
  send(message: OutgoingSms, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

export interface GatewayUser {
  /** Settles once they are stored: only then are they acknowledged to the network. */
  readonly received: (receipts: readonly Receipt[]) => Promise<void>;
  /** Never with a secret in it. */
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

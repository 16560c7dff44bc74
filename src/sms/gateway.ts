// PORT to the networks that carry text messages. main.ts chooses who stands behind it.
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
  /** What the gateway calls the parts, for receipts; none: it tells nothing more. */
  | { readonly sent: readonly string[] }
  | { readonly retry: string; readonly afterMs?: number }
  | { readonly failed: string };

export interface SmsGateway {
  send(message: OutgoingSms, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

export interface GatewayUser {
  /** Settles once they are kept: only then is the network told that we have them. */
  readonly received: (receipts: readonly Receipt[]) => Promise<void>;
  /** A person may want to know; never with a secret in it. */
  readonly say: (level: 'info' | 'warn', text: string) => void;
}

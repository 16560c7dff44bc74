// PORT by which HTTP hands the WebSockets of browsers to the telephone side (docs/browser-phones.md). The two may be in different
// threads: messages between them are copied, and bounded in number both ways.
import type { WebPhone } from '../telephony/ports/web-phone.ts';

export type { WebPhone } from '../telephony/ports/web-phone.ts';

export interface WebPhoneEnds {
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
}

export interface WebPhoneLink {
  /**
   * `id` is the caller's own, never used again. What `phone` may do has been checked. False: the telephone side is too far behind to
   * take it.
   */
  opened(id: number, ends: WebPhoneEnds, phone: WebPhone): boolean;
  /** False: the telephone side is too far behind, and the message is not handed over. */
  received(id: number, bytes: Uint8Array): boolean;
  /** `isOver`: its session is, and no page comes back with it; else the connection was lost. */
  closed(id: number, isOver: boolean): void;
  deliverTo(user: WebPhoneUser): void;
}

export interface WebPhoneUser {
  send(id: number, bytes: Uint8Array): void;
  /** With a code of RFC 6455 §7.4. */
  close(id: number, code: number): void;
}

// PORT to telephony: what phones can subscribe to, and what they are sent of it.

export type WatchedEvent = WatchedState['event'];

export type WatchedState =
  /** The calls of a colleague, or the caller in a parking spot (RFC 4235). */
  | { readonly event: 'dialog'; readonly dialogs: readonly WatchedDialog[] }
  /** The messages of a voicemail box (RFC 3842). */
  | { readonly event: 'message-summary'; readonly unheard: number; readonly heard: number }
  /** An agent (RFC 3856). */
  | { readonly event: 'presence'; readonly availability: Availability; readonly note: string };

export type Availability = 'free' | 'busy' | 'away';

/** One call of what is watched, as it sees the call. */
export interface WatchedDialog {
  readonly id: string;
  readonly state: 'trying' | 'early' | 'confirmed';
  readonly direction: 'initiator' | 'recipient';
  /** The other side; null: withheld. */
  readonly remote: string | null;
  readonly remoteName: string;
  /** The Call-ID of the leg that an INVITE with Replaces would pick up; absent: it cannot be picked up. */
  readonly callId?: string;
}

export interface Watch {
  /** Whose share of all subscriptions it takes. */
  readonly account: string;
  /** Null if not known yet. */
  state(): WatchedState | null;
  close(): void;
}

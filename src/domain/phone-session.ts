// A phone session: what a web page needs to be a phone for some minutes, made for an agent or for one destination. Nothing of it is
// stored: it travels sealed in the address of the WebSocket, and ends with what it was made by.

/** Within this a page must open its WebSocket; the connection itself lives as long as what it was made by. */
export const PHONE_SESSION_MS = 5 * 60_000;

/** The longest time that a guest is connected. */
export const GUEST_MS = 4 * 3_600_000;

/** What it was made by, and ends with. */
export type MadeBy =
  /** An access token or a signed-in browser. */
  | { readonly kind: 'token'; readonly id: string }
  /** `origin`: of the page, as the button names it. Null: a page of our own. */
  | { readonly kind: 'button'; readonly key: string; readonly origin: string | null };

export type PhoneGrant =
  /** Registers beside the agent's phones, and calls as the agent. */
  | { readonly kind: 'agent'; readonly eid: string; readonly caller: string }
  /** Calls `to`, by dialling `dial`, and does nothing else. */
  | {
      readonly kind: 'guest';
      readonly to: string;
      readonly dial: string;
      readonly name: string;
      readonly page: string;
    };

export interface PhoneSession {
  readonly id: string;
  readonly accountId: string;
  readonly by: MadeBy;
  readonly grant: PhoneGrant;
  /** The user name and the hashes of the digest. The secret itself is not kept. */
  readonly user: string;
  readonly md5: string;
  readonly sha256: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A key in web pages, for calls to one destination from some origins. */
export interface CallButton {
  readonly key: string;
  readonly name: string;
  /** A reference, or a number of the account. */
  readonly to: string;
  /** Origins of the pages, such as https://www.example.com. */
  readonly origins: readonly string[];
}

export const MAX_CALL_BUTTONS = 50;

/** Keys are public, and two accounts may choose the same: in addresses the account stands before it. */
export const publicKey = (accountId: string, key: string): string => `${accountId}.${key}`;

export function splitPublicKey(text: string): { readonly accountId: string; readonly key: string } {
  const dot = text.lastIndexOf('.');
  return { accountId: text.slice(0, Math.max(dot, 0)), key: text.slice(dot + 1) };
}

/** What is dialled for a number is the number; for anything else this word. */
export const dialFor = (to: string): string => (to.includes('|') ? 'call' : to);

/**
 * What is kept of the address that a page says it has: no query, fragment or user, which may be secrets of that website, and records
 * and webhooks have it.
 */
export function shownPage(text: string): string {
  const [plain = ''] = text.split(/[?#]/, 1);
  const [, scheme = '', rest = plain] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(plain) ?? [];
  const [, host = rest] = scheme === '' ? [] : (/^[^/\\]*@(.*)$/s.exec(rest) ?? []);
  return scheme + host;
}

/** What a visitor wants to be called, without characters that turn the text around it or are not seen. Joiners stay: scripts need them. */
export const shownName = (name: string): string =>
  name.replace(/[\p{Bidi_Control}\p{Cc}\u200b\u2060\ufeff]/gu, '').trim();

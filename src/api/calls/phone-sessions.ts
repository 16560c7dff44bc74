// Makes phone sessions, opens those that pages bring back, and says whether they still hold. Sessions that this node knows are
// listed from memory; those of other nodes are known where their connection is. One that is ended is ended at all nodes.
import { randomBytes } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import { newId } from '../../domain/id.ts';
import {
  type CallButton,
  GUEST_MS,
  type MadeBy,
  PHONE_SESSION_MS,
  type PhoneGrant,
  type PhoneSession,
} from '../../domain/phone-session.ts';
import { mayDoFor } from '../../domain/roles.ts';
import type { Sealer } from '../../domain/sealer.ts';
import { sipDigests } from '../../domain/sip-password.ts';
import { hashBy } from '../../kit/credentials.ts';
import type { Access } from '../http/auth.ts';

/** Sessions that this node keeps in mind. */
export const MAX_KNOWN_SESSIONS = 10_000;
/** A page whose network changed comes back with the same session, however old it is. */
export const PAGE_RETURNS_MS = 60_000;
/** Sealed, in the address of the WebSocket. */
const MAX_SEALED = 6_000;
const PLACE = 'phone session';

interface Known {
  readonly session: PhoneSession;
  connections: number;
  /** When the last of them closed; 0: none was open yet. */
  leftMs: number;
}

export interface EndedSession {
  readonly id: string;
  /** Then nobody can open it any more. */
  readonly untilMs: number;
}

export interface ListedSession {
  readonly session: PhoneSession;
  readonly connections: number;
}

export class PhoneSessions {
  readonly #sealer: Sealer;
  readonly #access: Access;
  readonly #share: (ended: EndedSession) => void;
  readonly #known = new Map<string, Known>();
  /** By id, until when. None is forgotten before: it would open again. Each took a request with a token. */
  readonly #ended = new Map<string, number>();
  /** Closes the connections of a session. */
  onEnd: (id: string) => void = () => undefined;

  /** `share`: to heardEnd() of the other nodes. */
  constructor(sealer: Sealer, access: Access, share: (ended: EndedSession) => void = () => undefined) {
    this.#sealer = sealer;
    this.#access = access;
    this.#share = share;
  }

  /** `secret` and `sealed` are shown once. */
  make(accountId: string, by: MadeBy, grant: PhoneGrant, nowMs: number) {
    const user = `web-${randomBytes(8).toString('hex')}`;
    const secret = randomBytes(24).toString('base64url');
    const { md5, sha256 } = sipDigests(user, secret, hashBy);
    const id = newId(nowMs);
    const made = { id, accountId, by, grant, user, md5, sha256 };
    const session = { ...made, createdAtMs: nowMs, expiresAtMs: nowMs + PHONE_SESSION_MS };
    this.#keep(session, nowMs);
    return { session, secret, sealed: this.#sealer.seal(JSON.stringify(session), PLACE) };
  }

  /** What a page brought: null where it is not ours, too old or ended. */
  open(sealed: string, nowMs: number): PhoneSession | null {
    const text = sealed.length > MAX_SEALED ? null : this.#sealer.open(sealed, PLACE);
    const session = text === null ? null : (JSON.parse(text) as PhoneSession);
    const known = session && this.#known.get(session.id);
    if (session === null || this.#ended.has(session.id)) return null;
    return session.expiresAtMs > nowMs || (known && mayReturn(known, nowMs)) ? session : null;
  }

  /** Whether what it was made by is still there, and may still do it. As of now, on every node. */
  async holds(session: PhoneSession, nowMs: number): Promise<boolean> {
    await this.#access.refresh();
    return this.holdsNow(session, nowMs);
  }

  /** As of the last refresh. */
  holdsNow({ id, accountId, by, grant, createdAtMs }: PhoneSession, nowMs: number): boolean {
    if (this.#ended.has(id)) return false;
    if (grant.kind === 'guest' && createdAtMs + GUEST_MS <= nowMs) return false;
    if (by.kind === 'button') return grant.kind === 'guest' && this.#isAllowed(accountId, by, grant.to);
    const proven = this.#access.byId(by.id);
    if (!proven || proven.account.id !== accountId) return false;
    const { user } = proven;
    const own = grant.kind === 'agent' ? grant.eid : null;
    return user === null || mayDoFor(user, 'createPhoneSession', own);
  }

  buttonOf(accountId: string, key: string): CallButton | null {
    const account: Account | null = this.#access.accountNow(accountId);
    return account?.settings.call_buttons.find((button) => button.key === key) ?? null;
  }

  /** The button still leads there, and from that page. */
  #isAllowed(accountId: string, { key, origin }: MadeBy & { kind: 'button' }, to: string): boolean {
    const button = this.buttonOf(accountId, key);
    return button?.to === to && (origin === null || button.origins.includes(origin));
  }

  connected(session: PhoneSession, by: 1 | -1): void {
    const known = this.#known.get(session.id) ?? this.#keep(session, Date.now());
    known.connections += by;
    known.leftMs = Date.now();
  }

  /** In the order of their ids. */
  listOf(accountId: string, nowMs: number): ListedSession[] {
    const all: ListedSession[] = [];
    for (const known of this.#known.values())
      if (known.session.accountId === accountId && this.#isLive(known, nowMs)) all.push(known);
    return all.sort((one, other) => (one.session.id < other.session.id ? -1 : 1));
  }

  /** False: the account has no such session here. */
  end(accountId: string, id: string, nowMs: number): boolean {
    const known = this.#known.get(id);
    if (!known || known.session.accountId !== accountId || !this.#isLive(known, nowMs)) return false;
    // The page may have left this very moment.
    const ended = { id, untilMs: Math.max(known.session.expiresAtMs, nowMs + PAGE_RETURNS_MS) };
    this.#end(ended, nowMs);
    this.#share(ended);
    return true;
  }

  /** At another node. */
  heardEnd({ id, untilMs }: EndedSession, nowMs: number): void {
    this.#end({ id, untilMs: Math.max(untilMs, nowMs + PAGE_RETURNS_MS) }, nowMs);
  }

  #end({ id, untilMs }: EndedSession, nowMs: number): void {
    for (const [old, oldMs] of this.#ended) if (oldMs <= nowMs) this.#ended.delete(old);
    this.#ended.set(id, untilMs);
    this.onEnd(id);
  }

  #isLive({ session: { id, expiresAtMs }, connections }: Known, nowMs: number): boolean {
    return !this.#ended.has(id) && (connections > 0 || expiresAtMs > nowMs);
  }

  #keep(session: PhoneSession, nowMs: number): Known {
    const known = { session, connections: 0, leftMs: 0 };
    this.#known.set(session.id, known);
    if (this.#known.size > MAX_KNOWN_SESSIONS) this.#forget(nowMs);
    return known;
  }

  /** Those that cannot be used any more; if there are none, the oldest that is not connected: only the list lacks it. */
  #forget(nowMs: number): void {
    let oldest: string | null = null;
    for (const [id, known] of this.#known) {
      if (known.connections > 0) continue;
      if (known.session.expiresAtMs <= nowMs && !mayReturn(known, nowMs)) this.#known.delete(id);
      else oldest ??= id;
    }
    if (this.#known.size > MAX_KNOWN_SESSIONS && oldest !== null) this.#known.delete(oldest);
  }
}

const mayReturn = ({ connections, leftMs }: Known, nowMs: number): boolean =>
  connections > 0 || nowMs - leftMs < PAGE_RETURNS_MS;

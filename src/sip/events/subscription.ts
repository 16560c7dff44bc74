// One subscription (RFC 6665 §4.2): at most one NOTIFY is under way, and what changes meanwhile is sent together after it.
import type { HeaderList } from '../dialogs/capabilities.ts';
import type { DialogCore } from '../dialogs/core.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { NO_BODY, type SipRequest } from '../message.ts';
import type { Timer } from '../timers.ts';

/** What a subscriber gets to see. */
export interface Watch {
  /** The authenticated subscriber, and the group whose share the subscription is counted for. */
  readonly id: string;
  readonly group: string;
  readonly contentType: string;
  /** Counts from 0 with each NOTIFY. Null: the state is not known yet, and a change will follow. */
  body(version: number): Buffer | null;
  /** Asked before each NOTIFY and with each refresh. */
  isAllowed(): boolean;
  close(): void;
}

/** Between the starts of two NOTIFYs: a state that changes faster is sent as it is then. */
const MIN_INTERVAL_MS = 200;

export class Subscription {
  readonly dialog: Dialog;
  readonly watch: Watch;
  readonly tag: string;
  /** As it stands in each NOTIFY. */
  readonly event: string;
  /** What is watched. */
  readonly uri: string;
  readonly #core: DialogCore;
  readonly #ended: () => void;
  #expiresAt = 0;
  #expiry: Timer | null = null;
  #later: Timer | null = null;
  #version = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #isUnderWay = false;
  #isDue = false;
  /** Why it ends; the last NOTIFY says it. */
  #reason: string | null = null;
  #isOver = false;

  constructor(
    core: DialogCore,
    dialog: Dialog,
    watch: Watch,
    { tag, event, uri }: Pick<Subscription, 'tag' | 'event' | 'uri'>,
    ended: () => void,
  ) {
    this.#core = core;
    this.dialog = dialog;
    this.watch = watch;
    this.tag = tag;
    this.event = event;
    this.uri = uri;
    this.#ended = ended;
  }

  /** Knowing both tags and the Call-ID is sufficient proof, as in a call. */
  isMeant({ callId, from }: SipRequest): boolean {
    return callId === this.dialog.callId && (from.params.get('tag') ?? '') === this.dialog.remote.tag;
  }

  isReplacedBy({ event, uri, dialog }: Subscription): boolean {
    return event === this.event && uri === this.uri && dialog.remoteTarget === this.dialog.remoteTarget;
  }

  /** Subscribed or refreshed: a NOTIFY follows at once (RFC 6665 §4.2.1.2). 0 seconds: it is the last. */
  grant(expiresS: number): void {
    const { timers } = this.#core;
    this.#expiry?.stop();
    this.#expiresAt = timers.now() + expiresS * 1000;
    if (expiresS === 0) this.end('timeout');
    else {
      this.#expiry = timers.start(expiresS * 1000, () => this.end('timeout'));
      this.#sentAt = Number.NEGATIVE_INFINITY;
      this.changed();
    }
  }

  changed(): void {
    if (this.#isOver) return;
    this.#isDue = true;
    if (this.#isUnderWay || this.#later) return;
    const waitMs = this.#sentAt + MIN_INTERVAL_MS - this.#core.timers.now();
    if (waitMs <= 0) this.#notify();
    else this.#later = this.#core.timers.start(waitMs, () => this.#notify());
  }

  /** With a last NOTIFY, which has the present state. */
  end(reason: string): void {
    this.#reason ??= reason;
    this.#expiry?.stop();
    if (!this.#isUnderWay) this.#notify();
  }

  /** Without a NOTIFY. */
  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#expiry?.stop();
    this.#later?.stop();
    this.watch.close();
    this.#ended();
  }

  #notify(): void {
    this.#later?.stop();
    this.#later = null;
    if (this.#isOver) return;
    if (!this.watch.isAllowed()) {
      this.drop();
      return;
    }
    const body = this.watch.body(this.#version);
    const reason = this.#reason;
    if (body === null && reason === null) return;
    this.#isDue = false;
    this.#isUnderWay = true;
    this.#version += 1;
    this.#sentAt = this.#core.timers.now();
    const draft = this.dialog.draft('NOTIFY', this.#headers(body !== null), body ?? NO_BODY);
    this.dialog.request(draft, {
      // RFC 6665 §4.2.2: a phone that refuses, 481 above all, has no such subscription any more.
      responded: ({ status }) => {
        if (status < 200) return;
        if (status < 300 && reason === null) this.#delivered();
        else this.drop();
      },
      failed: () => this.drop(),
    });
  }

  #delivered(): void {
    this.#isUnderWay = false;
    if (this.#reason !== null) this.#notify();
    else if (this.#isDue) this.changed();
  }

  #headers(hasBody: boolean): HeaderList {
    const leftS = Math.max(0, Math.round((this.#expiresAt - this.#core.timers.now()) / 1000));
    const state = this.#reason === null ? `active;expires=${leftS}` : `terminated;reason=${this.#reason}`;
    return [
      ['event', this.event],
      ['subscription-state', state],
      ...(hasBody ? [['content-type', this.watch.contentType] as const] : []),
    ];
  }
}

// What the phones of an account may watch: messages of voicemail boxes, calls and states of colleagues. What a watched number stands for
// is looked up again when the account's records change.
import type { Logger } from 'pino';
import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import { plainNumber } from '../../kinds/number-text.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Agents } from '../../sharing/ports/queues.ts';
import type { Watch, WatchedEvent, WatchedState } from '../../telephony/ports/watching.ts';
import type { Refusal } from '../../telephony/telephony.ts';
import { Mailboxes, type MailboxesParts } from '../message-waiting/mailboxes.ts';
import { spotOf } from '../parking/parking.ts';
import { entryOf } from '../routing/dialling.ts';
import type { AccountRoutes, Routes } from '../routing/routing.ts';
import type { Switchboard } from '../switchboard.ts';
import type { AgentDialogs } from './agent-dialogs.ts';
import { Availabilities } from './availabilities.ts';

export interface LampsParts {
  readonly routing: Pick<Routes, 'account'>;
  readonly mailboxes: Pick<Mailboxes, 'watch' | 'close'>;
  readonly dialogs: Pick<AgentDialogs, 'watch' | 'close'>;
  readonly availabilities: Pick<Availabilities, 'watch' | 'close'>;
}

/** Where the state comes from, as long as the watched number stands for the same. */
interface Source {
  state(): WatchedState | null;
  close(): void;
}

/** One event: what a number stands for, null being nothing, and how that is watched. */
interface Watchable {
  readonly keyOf: (account: AccountRoutes, eid: string, watched: string) => string | null;
  readonly open: (accountId: string, key: string, changed: () => void) => Source;
  /** The state of a number that stands for nothing any more. */
  readonly nothing: WatchedState;
}

const FORBIDDEN: Refusal = { status: 403 };
const UNKNOWN: Refusal = { status: 404 };

export class BusyLamps {
  readonly #parts: LampsParts;
  readonly #watchables: Readonly<Record<WatchedEvent, Watchable>>;
  readonly #open = new Set<LampWatch>();

  constructor(parts: LampsParts) {
    this.#parts = parts;
    this.#watchables = {
      'message-summary': messages(parts.mailboxes),
      dialog: calls(parts.dialogs),
      presence: presence(parts.availabilities),
    };
  }

  /** As TelephonyUser.watch(): `phone` has proved whose it is. */
  watch(phone: string, event: WatchedEvent, text: string, changed: () => void): Refusal | Watch {
    const { accountId, id: eid } = splitGlobalId(phone);
    const account = this.#parts.routing.account(accountId);
    if (!account?.agents.has(eid)) return FORBIDDEN;
    const watchable = this.#watchables[event];
    const watched = plainNumber(text) ?? text;
    const keyOf = (routes: AccountRoutes): string | null => watchable.keyOf(routes, eid, watched);
    if (keyOf(account) === null) return UNKNOWN;
    const watch: LampWatch = new LampWatch(account, keyOf, watchable, changed, () =>
      this.#open.delete(watch),
    );
    this.#open.add(watch);
    return watch;
  }

  /** The routes of an account that has not changed are the same value. */
  routesChanged(): void {
    for (const watch of [...this.#open]) watch.follow(this.#parts.routing.account(watch.account));
  }

  close(): void {
    this.#parts.mailboxes.close();
    this.#parts.dialogs.close();
    this.#parts.availabilities.close();
  }
}

interface Parts extends Pick<MailboxesParts, 'storage' | 'clock'> {
  readonly logger: Logger;
  /** Absent: there is one node alone. */
  readonly sharing?: object;
  readonly agents: Pick<Agents, 'busyElsewhere'>;
}

/** Telephony asks the switchboard, which asks the lamps. */
export function openBusyLamps(
  { storage, clock, logger, sharing, agents }: Parts,
  routing: LampsParts['routing'],
  switchboard: Pick<Switchboard, 'dialogs' | 'watch' | 'environment'>,
): BusyLamps {
  const failed = (err: unknown): void => logger.warn({ err }, 'voicemail messages not counted; retrying');
  const mailboxes = new Mailboxes({ storage, clock, failed });
  const { dialogs } = switchboard;
  if (sharing) dialogs.followNodes(clock, () => agents.busyElsewhere());
  const availabilities = new Availabilities(clock, dialogs, switchboard.environment.desk);
  const lamps = new BusyLamps({ routing, mailboxes, dialogs, availabilities });
  switchboard.watch = (phone, event, watched, changed) => lamps.watch(phone, event, watched, changed);
  return lamps;
}

class LampWatch implements Watch {
  readonly account: string;
  readonly #keyOf: (routes: AccountRoutes) => string | null;
  readonly #watchable: Watchable;
  readonly #changed: () => void;
  readonly #closed: () => void;
  #routes: AccountRoutes | undefined;
  #key: string | null = null;
  #source: Source | null = null;

  constructor(
    routes: AccountRoutes,
    keyOf: (routes: AccountRoutes) => string | null,
    watchable: Watchable,
    changed: () => void,
    closed: () => void,
  ) {
    this.account = routes.id;
    this.#keyOf = keyOf;
    this.#watchable = watchable;
    this.#changed = changed;
    this.#closed = closed;
    this.follow(routes);
  }

  state(): WatchedState | null {
    return this.#source ? this.#source.state() : this.#watchable.nothing;
  }

  follow(routes: AccountRoutes | undefined): void {
    if (routes === this.#routes) return;
    const isFirst = this.#routes === undefined && this.#key === null;
    this.#routes = routes;
    const key = routes ? this.#keyOf(routes) : null;
    if (key === this.#key) return;
    this.#key = key;
    this.#source?.close();
    this.#source = key === null ? null : this.#watchable.open(this.account, key, this.#changed);
    if (!isFirst) this.#changed();
  }

  close(): void {
    this.#source?.close();
    this.#source = null;
    this.#closed();
  }
}

function messages(mailboxes: LampsParts['mailboxes']): Watchable {
  return {
    keyOf: boxOf,
    open: (accountId, box, changed) => {
      const watched = mailboxes.watch(accountId, box, changed);
      return {
        state: () => {
          const counts = watched.counts();
          return counts && { event: 'message-summary', ...counts };
        },
        close: () => watched.close(),
      };
    },
    nothing: { event: 'message-summary', unheard: 0, heard: 0 },
  };
}

function calls(dialogs: LampsParts['dialogs']): Watchable {
  return {
    keyOf: (account, _eid, watched) => account.intercoms.get(watched)?.eid ?? spotOf(account, watched),
    open: (accountId, eid, changed) => {
      const watched = dialogs.watch(globalId(accountId, eid), changed);
      return {
        state: () => ({ event: 'dialog', dialogs: watched.dialogs() }),
        close: () => watched.close(),
      };
    },
    nothing: { event: 'dialog', dialogs: [] },
  };
}

function presence(availabilities: LampsParts['availabilities']): Watchable {
  return {
    keyOf: ({ intercoms }, _eid, watched) => intercoms.get(watched)?.eid ?? null,
    open: (accountId, eid, changed) => {
      const watched = availabilities.watch(globalId(accountId, eid), changed);
      return {
        state: () => ({ event: 'presence', ...watched.of() }),
        close: () => watched.close(),
      };
    },
    nothing: { event: 'presence', availability: 'away', note: '' },
  };
}

/**
 * The box of a phone is where its agent's unanswered calls go. By its own number a shared box can be watched, too; the box of a colleague
 * cannot.
 */
function boxOf(account: AccountRoutes, eid: string, watched: string): string | null {
  const agent = account.agents.get(eid);
  const isOwn = agent?.intercom === watched;
  const { kind, id } = splitReference((isOwn ? agent.failover_destination : entryOf(account, watched)) ?? '');
  return kind === 'voicemail' ? id : null;
}

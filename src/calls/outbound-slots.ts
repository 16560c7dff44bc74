// The legs that each account has on its trunks and at SIP addresses, against the limits of the account and of the trunk (docs/threat-model.md T1). Over all
// nodes; telephony counts this node's calls on each trunk besides.
import type { Release, Slots } from '../sharing/ports/slots.ts';
import { when } from '../sharing/ports/when.ts';
import type { Peer, Target } from '../telephony/telephony.ts';
import { splitGlobalId } from './routing/dialling.ts';
import type { AccountRoutes } from './routing/routing.ts';

/** The slot of a leg; called when the leg ends. */
export interface OutboundSlot {
  (): void;
  /** The trunk over which we dialled the leg: another node acquires the slot again. Absent: it holds none, or came from a trunk. */
  readonly trunk?: string;
}

export const NO_SLOT: OutboundSlot = () => undefined;

/** The slot of a leg that we dialled over that trunk. */
export const slotOn = (trunk: string, release: Release): OutboundSlot =>
  Object.assign(() => release(), { trunk });

type LimitedAccount = Pick<AccountRoutes, 'id' | 'settings' | 'limits' | 'trunks'>;

const accountKey = (id: string): string => `outbound ${id}`;
const trunkKey = (id: string): string => `trunk ${id}`;
/** The account's own setting, below the operator's limit. */
const mostOf = ({ settings, limits }: LimitedAccount): number =>
  Math.min(settings.max_outbound_calls, limits.max_outbound_calls);

export class OutboundSlots {
  readonly #slots: Slots;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** As far as this node knows: `acquire` decides. */
  isFull(account: LimitedAccount): boolean {
    return this.#slots.used(accountKey(account.id)) >= mostOf(account);
  }

  /** The slot of a leg that is dialled. Null if the account or the trunk has none left. `call`: the Call-ID of its caller. */
  acquire(
    account: LimitedAccount,
    target: Target | null,
    call: string,
  ): OutboundSlot | null | Promise<OutboundSlot | null> {
    if (target?.kind === 'sip')
      return this.#slots.acquire([{ key: accountKey(account.id), most: mostOf(account) }], call);
    if (target?.kind !== 'trunk') return NO_SLOT;
    const { id } = target;
    const acquired = this.#slots.acquire(
      [
        { key: accountKey(account.id), most: mostOf(account) },
        { key: trunkKey(id), most: trunkLimit(account, id) },
      ],
      call,
    );
    return when(acquired, (release) => release && slotOn(id, release));
  }

  /** A call that came from there: it waits for nothing, and counts against the trunk's limit on all nodes. */
  cameFrom(peer: Peer, call: string): Release {
    return peer.kind === 'trunk' && this.#slots.isShared
      ? this.#slots.note(trunkKey(peer.id), call)
      : NO_SLOT;
  }

  /** Whether the nodes together have as many calls on the trunk as it may carry, as far as this one knows. */
  isTrunkFull(account: LimitedAccount, id: string): boolean {
    return this.#slots.isShared && this.#slots.used(trunkKey(id)) >= trunkLimit(account, id);
  }

  /** Calls of all nodes; null: this is the only one. */
  trunkCalls(id: string): number | null {
    return this.#slots.isShared ? this.#slots.used(trunkKey(id)) : null;
  }
}

function trunkLimit({ trunks, limits }: LimitedAccount, id: string): number {
  const { id: own } = splitGlobalId(id);
  const trunk = trunks.find((each) => each.id === own);
  return Math.min(trunk?.data.max_calls ?? limits.max_trunk_calls, limits.max_trunk_calls);
}

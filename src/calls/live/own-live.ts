// The live view of this node's own calls, agents and trunks, and the notices of its changes.

import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Telephony } from '../../telephony/telephony.ts';
import type { CallEvents } from '../events/call-events.ts';
import type { EventStream } from '../events/event-stream.ts';
import { globalId } from '../routing/dialling.ts';
import type { Routes } from '../routing/routing.ts';
import type { TrunkOwners } from '../routing/trunk-owners.ts';
import { type TrunkSettings, trunkView } from '../routing/trunk-settings.ts';
import type { Switchboard } from '../switchboard.ts';
import { LiveChanges } from './live-changes.ts';
import type { LiveTrunk, LiveView, TrunkState } from './live-view.ts';

export interface OwnLiveParts {
  readonly stream: EventStream;
  readonly callEvents: CallEvents;
  readonly routing: Pick<Routes, 'account'>;
  readonly switchboard: Pick<Switchboard, 'operator' | 'environment'>;
  readonly trunkSettings: Pick<TrunkSettings, 'unusedAddresses'>;
  readonly trunkOwners: Pick<TrunkOwners, 'heldBy' | 'isOurs'> | null;
  /** Null until it is open. */
  readonly telephony: () => Pick<Telephony, 'trunkState'> | null;
  readonly clock: Pick<Clock, 'after' | 'epochMs'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export class OwnLive {
  readonly #parts: OwnLiveParts;
  readonly changes: LiveChanges;

  constructor(parts: OwnLiveParts) {
    this.#parts = parts;
    const { stream, clock, logger, callEvents } = parts;
    this.changes = new LiveChanges({
      stream,
      clock,
      look: (accountId) => this.#look(accountId),
      failed: (err) => logger.warn({ err }, 'live state not compared; retrying'),
    });
    callEvents.touched = (accountId) => this.changes.touch(accountId);
  }

  view(accountId: string): LiveView {
    const { switchboard } = this.#parts;
    return {
      calls: switchboard.operator.liveCallsOf(accountId),
      unanswered: [],
      agents: switchboard.environment.desk.viewOf(accountId),
      trunks: this.#trunksOf(accountId),
    };
  }

  trunkState(accountId: string, id: string): TrunkState | null {
    const { telephony, trunkOwners, trunkSettings } = this.#parts;
    const trunk = globalId(accountId, id);
    const state = telephony()?.trunkState(trunk);
    if (!state) return null;
    const held = trunkOwners?.heldBy(trunk);
    const { registered, problem } = held && !trunkOwners?.isOurs(trunk) ? held : state;
    const unused_addresses = trunkSettings.unusedAddresses(trunk);
    return { ...trunkView(state), registered, problem, registered_by: held?.node ?? null, unused_addresses };
  }

  #trunksOf(accountId: string): LiveTrunk[] {
    const trunks = this.#parts.routing.account(accountId)?.trunks ?? [];
    return trunks.flatMap(({ id }) => {
      const state = this.trunkState(accountId, id);
      return state ? [{ id, ...state }] : [];
    });
  }

  /** Latencies differ with every OPTIONS: they are no change. */
  #look(accountId: string): { readonly text: string; readonly size: number } {
    const agents = this.#parts.switchboard.environment.desk.viewOf(accountId);
    const trunks = this.#trunksOf(accountId).map(({ hosts, ...trunk }) => [
      trunk,
      hosts.map(({ address, port, reachable }) => [address, port, reachable]),
    ]);
    return { text: JSON.stringify([agents, trunks]), size: agents.length + trunks.length };
  }
}

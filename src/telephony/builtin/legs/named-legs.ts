// The leg whose dialog a Replaces names, in a REFER or an INVITE (RFC 3891).
import { headerOf, type SipRequest } from '../../../sip/message.ts';
import { parseReplaces } from '../../../sip/replaces.ts';
import type { UserAgent } from '../../../sip/user-agent.ts';
import { LAMP_TAG } from '../events/dialog-info.ts';
import type { BuiltinLeg } from './leg.ts';

type Finder = Pick<UserAgent<unknown>, 'find'>;

export class NamedLegs {
  readonly #agent: Finder;
  readonly #legs: Iterable<BuiltinLeg>;

  constructor(agent: Finder, legs: Iterable<BuiltinLeg>) {
    this.#agent = agent;
    this.#legs = legs;
  }

  /** For a REFER: any dialog that is not over. */
  readonly find: BuiltinLeg['namedLeg'] = (replaces) => this.#legOf(this.#agent.find(replaces)?.owner);

  /** For an INVITE: the leg, or the status that refuses it. Null: it has no Replaces. */
  ofInvite(invite: Pick<SipRequest, 'headers'>): BuiltinLeg | 400 | 481 | 486 | null {
    const text = headerOf(invite, 'replaces');
    if (text === undefined) return null;
    const replaces = parseReplaces(text);
    if (!replaces) return 400;
    if (replaces.toTag === LAMP_TAG) return this.#ringing(replaces.callId) ?? 481;
    const named = this.#agent.find(replaces);
    if (!named || (named.isEarly && !named.isOurs)) return 481;
    if (replaces.earlyOnly && !named.isEarly) return 486;
    return this.#legOf(named.owner) ?? 481;
  }

  isPeerOf(session: Parameters<BuiltinLeg['has']>[0], id: string): boolean {
    return this.#legOf(session)?.phone === id;
  }

  /** The leg that a dialog-info names, while it rings: an answered call is not handed out by it. */
  #ringing(callId: string): BuiltinLeg | null {
    for (const leg of this.#legs) if (leg.isRinging && leg.callId === callId) return leg;
    return null;
  }

  /** Legs are looked through only for a dialog that exists: its tags cannot be guessed. */
  #legOf(session: Parameters<BuiltinLeg['has']>[0] | undefined): BuiltinLeg | null {
    if (session === undefined) return null;
    for (const leg of this.#legs) if (leg.has(session)) return leg;
    return null;
  }
}

// Star codes: what the phones of agents dial to operate the service. Only a phone that proved whose it is gets here.
import { newId } from '../../domain/id.ts';
import { when } from '../../sharing/ports/when.ts';
import type { IncomingCall, Refusal } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import { ACCOUNT_FULL } from '../call-caps.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { CallFacts } from '../records/call-record.ts';
import { type Destination, entryOf, splitGlobalId } from '../routing/dialling.ts';
import { PerMinute } from '../routing/per-minute.ts';
import { whoCalls } from '../routing/plain-call.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { type DialledCode, starCodeOf } from '../routing/star-codes.ts';
import type { Feature, FeatureOutcome } from './feature.ts';
import { FeatureCall } from './feature-call.ts';
import { FEATURES } from './features.ts';

/** Star codes of one agent: a phone that dials one all day must not fill the database. */
export const MAX_PER_MINUTE = 30;
/** RFC 3261 §21.4.22: digits are missing. */
const INCOMPLETE: Refusal = { status: 484 };
/** 486 rather than 503, at which a phone would look for another server (RFC 3263 §4.3). */
const TOO_MANY: Refusal = { status: 486, retryAfterSeconds: 60 };

type Admission = Refusal | null | Promise<Refusal | null>;

/** What becomes of calls that are more than their star code. */
interface CallTaker {
  accept(call: IncomingCall, to: Destination): Refusal | null;
  refuse(call: IncomingCall, account: AccountRoutes, refusal: Refusal): Refusal;
}

export class FeatureCalls {
  readonly #calls: CallRegistry;
  readonly #taker: CallTaker;
  readonly #features: Readonly<Record<string, Feature>>;
  readonly #live = new Map<string, FeatureCall>();
  readonly #perMinute = new PerMinute(MAX_PER_MINUTE);

  constructor(calls: CallRegistry, taker: CallTaker, features: Readonly<Record<string, Feature>> = FEATURES) {
    this.#calls = calls;
    this.#taker = taker;
    this.#features = features;
  }

  get count(): number {
    return this.#live.size;
  }

  hangUpAll(): void {
    for (const call of [...this.#live.values()]) call.hangUp();
  }

  /** Undefined: no star code was dialled, or a number of the account is written like it. */
  admit(call: IncomingCall, account: AccountRoutes | undefined): Admission | undefined {
    if (call.peer.kind !== 'phone' || !account || !call.dialled.startsWith('*')) return undefined;
    const dialled = starCodeOf(call.dialled);
    if (dialled === null || entryOf(account, call.dialled) !== undefined) return undefined;
    const agentId = call.peer.id;
    const agent = account.agents.get(splitGlobalId(agentId).id);
    if (!agent) return undefined;
    if (dialled === 'incomplete') return this.#taker.refuse(call, account, INCOMPLETE);
    if (this.#calls.isFull(account)) return this.#taker.refuse(call, account, ACCOUNT_FULL);
    const context = this.#calls.contextOf(account);
    if (!this.#perMinute.take(agentId, context.services.clock.epochMs()))
      return this.#taker.refuse(call, account, TOO_MANY);
    const asked = { context, agent, agentId, dialled, call };
    const outcome = this.#features[dialled.feature]?.(asked);
    return outcome && when(outcome, (known) => this.#goOn(asked, known));
  }

  #goOn(
    asked: { context: AccountContext; agentId: string; dialled: DialledCode; call: IncomingCall },
    outcome: FeatureOutcome,
  ): Refusal | null {
    const { context, agentId, call } = asked;
    if ('refusal' in outcome) return this.#taker.refuse(call, context.account, outcome.refusal);
    if ('to' in outcome) return this.#taker.accept(call, outcome.to);
    if ('picksUpAt' in outcome) {
      const refusal = this.#calls.transfers.pickUpAt(call, outcome.picksUpAt);
      return refusal && this.#taker.refuse(call, context.account, refusal);
    }
    const facts = factsOf(call, context);
    const feature = new FeatureCall(context, facts, call.leg, agentId, outcome, {
      ended: (result) => {
        this.#live.delete(facts.id);
        this.#calls.recordCall(facts, result);
      },
      unrecorded: (error) => {
        this.#live.delete(facts.id);
        this.#calls.observer.failed(error, facts, []);
      },
    });
    this.#live.set(facts.id, feature);
    feature.start();
    return null;
  }
}

function factsOf(
  { caller, callerName, callId, dialled, peer }: IncomingCall,
  { account, services }: AccountContext,
): CallFacts {
  const startedAtMs = services.clock.epochMs();
  const [id, accountId] = [newId(startedAtMs), account.id];
  return {
    id,
    accountId,
    callId,
    direction: 'internal',
    caller,
    callerName,
    dialled,
    entry: '',
    ...whoCalls({ peer }),
    startedAtMs,
  };
}

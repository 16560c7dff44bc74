// Numbers of a call as they are compared, recorded and shown: without separators, URI parameters and digits of other scripts.
import { splitGlobalId } from '../../domain/global-id.ts';
import { isWithheld, plainNumber } from '../../kinds/number-text.ts';
import type { CallIdentity } from '../../telephony/ports/call-identity.ts';
import type { IncomingCall } from '../../telephony/telephony.ts';
import type { CallFacts } from '../records/call-record.ts';

/** A caller whose number is withheld has none, whatever word stands for it (threat T44). */
export function plainCall(call: IncomingCall): IncomingCall {
  const dialled = plain(call.dialled);
  const alsoDialled = call.alsoDialled.length === 0 ? call.alsoDialled : call.alsoDialled.map(plain);
  const caller = call.caller === null || isWithheld(call.caller) ? null : plain(call.caller);
  const callerName = caller === null ? '' : call.callerName;
  const read = { ...call, dialled, alsoDialled, caller, callerName };
  return call.identity ? { ...read, identity: plainIdentity(call.identity) } : read;
}

function plainIdentity(identity: CallIdentity): CallIdentity {
  const { diversions, history } = identity;
  return { ...identity, diversions: diversions.map(plainEntry), history: history.map(plainEntry) };
}

function plainEntry<Entry extends { readonly number: string | null }>(entry: Entry): Entry {
  const { number } = entry;
  return { ...entry, number: number === null || isWithheld(number) ? null : plain(number) };
}

/** What is no number, such as a user name, stays as it is. */
const plain = (text: string): string => plainNumber(text) ?? text;

/** What the record of a call has of its INVITE. */
export function factsOf(call: Signalled): SignalledFacts {
  const { caller, callerName, callId, dialled, identity } = call;
  const facts = { caller, callerName, callId, dialled, ...whoCalls(call) };
  return identity ? { ...facts, identity } : facts;
}

/** The visitor of a web page, or an agent; `agent`: also on an outside telephone. */
export function whoCalls({
  peer,
  agent = peer.kind === 'phone' ? peer.id : null,
}: Caller): Pick<CallFacts, 'web' | 'madeBy'> {
  if (peer.kind === 'guest') return { web: peer.visitor };
  return agent === null ? {} : { madeBy: splitGlobalId(agent).id };
}

type Caller = Pick<IncomingCall, 'peer'> & { readonly agent?: string | null };
type Signalled = Pick<IncomingCall, 'caller' | 'callerName' | 'callId' | 'dialled' | 'identity'> & Caller;
type SignalledFacts = Pick<
  CallFacts,
  'caller' | 'callerName' | 'callId' | 'dialled' | 'identity' | 'web' | 'madeBy'
>;

// Numbers of a call as they are compared, recorded and shown: without separators, URI parameters and digits of other scripts.
import { isWithheld, plainNumber } from '../../domain/number-text.ts';
import type { IncomingCall } from '../../telephony/telephony.ts';

/** A caller whose number is withheld has none, whatever word stands for it (threat T44). */
export function plainCall(call: IncomingCall): IncomingCall {
  const dialled = plain(call.dialled);
  const toUser = call.toUser === call.dialled ? dialled : plain(call.toUser);
  const caller = call.caller === null || isWithheld(call.caller) ? null : plain(call.caller);
  return { ...call, dialled, toUser, caller, callerName: caller === null ? '' : call.callerName };
}

/** What is no number, such as a user name, stays as it is. */
const plain = (text: string): string => plainNumber(text) ?? text;

// The calls of this node as other nodes have them: stored, taken up after the death of a node, and given up to others.
import type { CallRegistry } from '../call-registry.ts';
import { recoverCall } from './recover-call.ts';
import { storedCall } from './store-call.ts';
import type { LostCall } from './stored-call.ts';

/** Null if no other node could go on with it. */
export function storeCall(calls: CallRegistry, id: string): string | null {
  const call = calls.get(id);
  const stored = call && !call.isOver ? storedCall(call) : null;
  return stored && JSON.stringify(stored);
}

/** A call of a node that died. False: it cannot go on. */
export function recover(calls: CallRegistry, lost: LostCall): boolean {
  const { facts, ageMs, answer } = lost;
  const { environment, observer } = calls;
  const account = environment.routing.account(facts.accountId);
  if (!account || calls.get(facts.id)) return false;
  const call = recoverCall(calls.contextOf(account), calls, lost, (listed) => {
    calls.add(listed);
    observer.recovered?.(facts, ageMs, answer);
  });
  if (call?.arrival.agent) environment.agentStates.talks(call.facts.id, call.arrival.agent);
  if (call && answer) calls.agentTalks(call.facts, answer);
  return call !== null;
}

/** Others took this node for dead, and have these calls: they are dropped without a word to their phones, and without a record. */
export function abandon(calls: CallRegistry, ids: readonly string[]): void {
  for (const id of ids) {
    const call = calls.get(id);
    if (!call) continue;
    calls.delete(call);
    call.abandon();
    if (call.facts.callback) calls.callbacks?.callEnded(id, { trail: [] });
    calls.observer.abandoned?.(id);
  }
}

// What a dialled number means, and for whom: the only place that decides who may reach what.

import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import { bringsTo, type RouteOut, routeOut } from '../../domain/trunk.ts';
import { changeFlow, type Flow, resolve } from '../../flow/flow.ts';
import { type Ref, referenceTo } from '../../flow/node.ts';
import { normaliseNumber, numberKey, plainNumber } from '../../kinds/number-text.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import type { GuestPeer } from '../../telephony/ports/web-phone.ts';
import type { IncomingCall, Peer, Refusal, Target } from '../../telephony/telephony.ts';
import type { CallDirection, CallFacts } from '../records/call-record.ts';
import type { AccountRoutes, Routes } from './routing.ts';

export interface Destination {
  readonly account: AccountRoutes;
  readonly flow: Flow;
  readonly entry: Ref;
  readonly direction: CallDirection;
  /** The phones of the agent who is called are asked to answer by themselves. */
  readonly autoAnswer?: true;
}

/** A call whose caller may have the name of a contact. */
export interface NamedCall extends IncomingCall {
  readonly isContact?: true;
}

const UNKNOWN: Refusal = { status: 404 };
export const FORBIDDEN: Refusal = { status: 403 };

export { globalId, splitGlobalId };

/** The owner of a phone as AgentStates names them; null: not an agent. */
export function agentIdOf(accountId: string, owner: Ref): string | null {
  const { kind, id } = splitReference(owner);
  return kind === 'extension' ? globalId(accountId, id) : null;
}

/** Where a call leads, with the number that led there: of those that may have been dialled the first that leads anywhere. */
export function destinationFor(
  routing: Pick<Routes, 'account' | 'accounts'>,
  signalled: IncomingCall,
): { readonly call: NamedCall; readonly to: Destination | Refusal } {
  const call = readByTrunk(routing, signalled);
  const to = destinationOf(routing, call.peer, call.dialled);
  if (!('status' in to)) return { call: withContact(call, to.account), to };
  // A phone dials what it asks for, and nothing else: an agent must not reach other numbers by another header.
  if (call.peer.kind === 'phone' || call.peer.kind === 'guest') return { call, to };
  for (const dialled of call.alsoDialled) {
    const other = destinationOf(routing, call.peer, dialled);
    if (!('status' in other)) return { call: withContact({ ...call, dialled }, other.account), to: other };
  }
  return { call, to };
}

/** A caller from outside has the name of the contact with the number, whatever name the caller's side sent. */
function withContact(call: IncomingCall, { contacts }: AccountRoutes): NamedCall {
  if (call.peer.kind === 'phone' || call.peer.kind === 'guest') return call;
  const callerName = contacts.nameOf(call.caller, call.identity?.verstat);
  return callerName === '' ? call : { ...call, callerName, isContact: true };
}

/** The numbers of a trunk's call, where it writes them in one form. */
function readByTrunk(routing: Pick<Routes, 'account'>, call: IncomingCall): IncomingCall {
  if (call.peer.kind !== 'trunk') return call;
  const { accountId, id } = splitGlobalId(call.peer.id);
  const account = routing.account(accountId);
  const format = account?.trunks.find((each) => each.id === id)?.data.inbound_format ?? 'as_is';
  if (!account || format === 'as_is') return call;
  const read = (number: string): string => account.numbering.read(number, format);
  const caller = call.caller === null ? null : read(call.caller);
  return { ...call, caller, dialled: read(call.dialled), alsoDialled: call.alsoDialled.map(read) };
}

export function destinationOf(
  routing: Pick<Routes, 'account' | 'accounts'>,
  peer: Peer,
  dialled: string,
): Destination | Refusal {
  switch (peer.kind) {
    case 'phone': {
      const account = routing.account(splitGlobalId(peer.id).accountId);
      return account ? dialledByAgent(account, dialled) : FORBIDDEN;
    }
    case 'trunk': {
      const { accountId, id } = splitGlobalId(peer.id);
      const account = routing.account(accountId);
      const trunk = account?.trunks.find((each) => each.id === id);
      return account && trunk ? dialledByTrunk(account, trunk, dialled) : FORBIDDEN;
    }
    case 'guest': {
      const account = routing.account(splitGlobalId(peer.id).accountId);
      return account ? dialledByGuest(account, peer, dialled) : FORBIDDEN;
    }
    case 'local': {
      // Loopback is a private network: without the operator's leave an account takes no calls from it (T38).
      const open = [...routing.accounts()].filter(
        ({ settings, limits }) => settings.loopback_calls && limits.private_networks,
      );
      const account = ownerOf(open, dialled);
      const entry = account && entryOf(account, dialled);
      return entry === undefined || !account
        ? UNKNOWN
        : { account, flow: account.flow, entry, direction: 'inbound' };
    }
    default:
      return peer satisfies never;
  }
}

/** What its session is for, and nothing else. */
function dialledByGuest(
  account: AccountRoutes,
  { to, dial }: GuestPeer,
  dialled: string,
): Destination | Refusal {
  if (dialled !== (plainNumber(dial) ?? dial)) return FORBIDDEN;
  const { flow } = account;
  const entry = to.includes('|') ? to : entryOf(account, to);
  return entry === undefined || !resolve(flow, entry)
    ? UNKNOWN
    : { account, flow, entry, direction: 'inbound' };
}

/** The priority in queues: that of the dialled number, or of the contact who calls from outside if it is higher. */
export function priorityOf(
  { numbers, priorities, numbering, contacts }: AccountRoutes,
  {
    dialled,
    caller,
    identity,
    madeBy,
    web,
  }: Pick<CallFacts, 'dialled' | 'caller' | 'identity' | 'madeBy' | 'web'>,
): number {
  const isOutside = madeBy === undefined && web === undefined;
  const ofCaller = (isOutside && contacts.find(caller, identity?.verstat)?.priority) || 0;
  if (priorities.size === 0) return ofCaller;
  const key = numberKey(dialled);
  return Math.max(priorities.get(numbers.has(key) ? key : numbering.key(dialled)) ?? 0, ofCaller);
}

/** Where a number of the account leads, as it is written or in another form. */
export function entryOf({ numbers, numbering }: AccountRoutes, dialled: string): Ref | undefined {
  return numbers.get(numberKey(dialled)) ?? numbers.get(numbering.key(dialled));
}

/** The first account that has the number as it is written, or else in another form. */
function ownerOf(accounts: readonly AccountRoutes[], dialled: string): AccountRoutes | undefined {
  const key = numberKey(dialled);
  return (
    accounts.find(({ numbers }) => numbers.has(key)) ??
    accounts.find((account) => entryOf(account, dialled) !== undefined)
  );
}

/** The one of an account's trunks with one address that may reach the number; if none may, the first: the call is refused anyway. */
export function trunkAmong(
  routing: Pick<Routes, 'account' | 'accounts'>,
  ids: readonly string[],
  dialled: readonly string[],
): string {
  const reaches = (id: string): boolean =>
    dialled.some(
      (number) => !('status' in destinationOf(routing, { kind: 'trunk', id }, plainNumber(number) ?? number)),
    );
  return ids.find(reaches) ?? ids[0] ?? '';
}

/** Colleagues by intercom number, the account's own numbers, and outside numbers that a trunk routes for agents. */
export function dialledByAgent(account: AccountRoutes, text: string): Destination | Refusal {
  const { flow, intercoms } = account;
  const dialled = plainNumber(text) ?? text;
  const colleague = intercoms.get(dialled);
  if (colleague) {
    return { account, flow, entry: referenceTo('agent', colleague.eid), direction: 'internal' };
  }
  const entry = entryOf(account, dialled);
  if (entry !== undefined) return { account, flow, entry, direction: 'internal' };
  const number = normaliseNumber(dialled);
  if (number === null) return UNKNOWN;
  if (!outRoute(account, number, true)) return FORBIDDEN;
  const ref = referenceTo('number', number);
  const node = { kind: 'number', ref, name: number, number, ringSeconds: 60, failover: null } as const;
  const changed = changeFlow(flow, { nodes: [{ ...node, byAgent: true }] });
  return { account, flow: changed, entry: ref, direction: 'outbound' };
}

/** The flow for a call that an operator sends to the destination: a number there is dialled as agents may dial it. */
export function flowChosen(flow: Flow, entry: Ref): Flow {
  const node = resolve(flow, entry);
  return node?.kind === 'number' ? changeFlow(flow, { nodes: [{ ...node, byAgent: true }] }) : flow;
}

function dialledByTrunk(
  account: AccountRoutes,
  { data }: StoredRecord<Trunk>,
  signalled: string,
): Destination | Refusal {
  const dialled = account.numbering.read(signalled, data.inbound_format);
  const entry = entryOf(account, dialled);
  return entry === undefined || !bringsTo(data, dialled, account.numbering)
    ? UNKNOWN
    : { account, flow: account.flow, entry, direction: 'inbound' };
}

/** The trunk whose prefix rules route this number, and what is dialled there. */
export function outRoute(
  { trunks, numbering }: AccountRoutes,
  number: string,
  byAgent: boolean,
): { trunkId: string; dialled: string } | null {
  const usable = trunks.filter(({ data }) => data.enabled && (!byAgent || data.agents_may_call));
  return routeOut(usable, number, numbering);
}

/** The caller ID comes from the account's rules, or else from the trunk. */
export function trunkTarget(
  { id: accountId, callerIds, trunks, numbering }: AccountRoutes,
  { trunkId, dialled }: RouteOut,
  number: string,
  eid: string | null,
  caller: string | null,
): Target {
  const trunk = trunks.find(({ id }) => id === trunkId)?.data;
  const format = trunk?.outbound_format ?? 'as_is';
  const ruled = callerIds.shown({ trunkId, number, eid, caller });
  // The trunk's own is written in its format already; the caller's is not.
  const isCallers = ruled === undefined && format !== 'as_is' && trunk?.caller_id === null;
  const shown = isCallers ? caller : ruled;
  const target = { kind: 'trunk', id: globalId(accountId, trunkId), number: dialled } as const;
  if (shown === undefined) return target;
  return { ...target, shown: shown === null ? null : numbering.written(shown, format) };
}

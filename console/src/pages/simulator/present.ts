// What is true at this moment, as conditions of a simulated call: who has a phone, who is free, who is signed out.
import type { AgentState } from '../../../../client/operations.ts';
import { type Flow, resolve } from '../../../../src/flow/flow.ts';
import { openingAt } from '../../../../src/flow/hours/opening.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import { client } from '../../data/client.ts';
import type { Reach } from './reach.ts';
import type { BehaviourWord, Settings } from './settings.ts';

/** Off duty is known to the flow itself: it has the hours. Who is in wrap-up gets calls to the own number, as who is paused. */
const BEHAVIOUR: { readonly [S in AgentState['state']]: BehaviourWord } = {
  free: 'answer',
  off_duty: 'answer',
  talking: 'busy',
  ringing: 'busy',
  wrap_up: 'paused',
  paused: 'paused',
  blocked: 'blocked',
  unreachable: 'unreachable',
};

/** An agent without a phone has one of these all the same: the service names the stronger reason. */
const MAY_HAVE_NO_PHONE: ReadonlySet<AgentState['state']> = new Set(['off_duty', 'paused']);

const PAGE = 500;
const MOST_PAGES = 4;

export async function readStates(signal: AbortSignal): Promise<readonly AgentState[]> {
  const states: AgentState[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: { data: AgentState[]; next_cursor: string | null } = await client.listAgentStates({
      query: { limit: PAGE, ...(cursor === null ? {} : { cursor }) },
      signal,
    });
    states.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return states;
}

export type Present = Pick<Settings, 'agents' | 'signedOut'>;

type NowOf = Pick<AgentState, 'eid' | 'state' | 'signed_out' | 'phones'>;

export function presentOf(states: readonly NowOf[], flow: Flow): Present {
  const departments = departmentsOf(flow);
  const agents: { [agent: Ref]: BehaviourWord } = {};
  const signedOut: { [department: Ref]: Ref[] } = {};
  for (const now of states) {
    const ref: Ref = `extension||${now.eid}`;
    const own = departments.get(ref) ?? [];
    const left = own.filter((department) => now.signed_out.some((id) => department === `department||${id}`));
    const word = behaviourOf(now, ref, flow);
    // Signed out of all of them is as good as paused: calls to the own number still ring.
    const isOut = word === 'answer' && left.length > 0 && left.length === own.length;
    agents[ref] = isOut ? 'paused' : word;
    if (word !== 'answer' || isOut) continue;
    for (const department of left) signedOut[department] = [...(signedOut[department] ?? []), ref];
  }
  return { agents, signedOut };
}

function behaviourOf({ state, phones }: NowOf, ref: Ref, flow: Flow): BehaviourWord {
  const node = resolve(flow, ref);
  const hasNumber = node?.kind === 'agent' && node.followMeNumber !== null;
  const isOut = MAY_HAVE_NO_PHONE.has(state) && phones.registered === 0 && !hasNumber;
  return isOut ? 'unreachable' : BEHAVIOUR[state];
}

/** Those of each agent. */
function departmentsOf(flow: Flow): ReadonlyMap<Ref, readonly Ref[]> {
  const departments = new Map<Ref, Ref[]>();
  for (const node of flow.nodes.values()) {
    if (node.kind !== 'department') continue;
    for (const agent of node.agents) {
      const own = departments.get(agent);
      if (own) own.push(node.ref);
      else departments.set(agent, [node.ref]);
    }
  }
  return departments;
}

export interface Assumed {
  /** How many phones answer. */
  readonly answering: number;
  readonly others: readonly (readonly [word: BehaviourWord, names: readonly string[]])[];
  /** Not offered calls at that moment. */
  readonly offDuty: readonly string[];
  /** Who is not rung for a department that the call can reach. */
  readonly signedOut: readonly (readonly [department: Ref, names: readonly string[]])[];
}

/** The phones that the call can reach, by what is assumed of them; phones that answer are only counted. */
export function assumed(
  { refs, phones, hours }: Reach,
  { agents, signedOut }: Settings,
  atMs: number,
): Assumed {
  const closed = new Set(hours.filter((each) => !openingAt(each, atMs).open).map(({ ref }) => ref));
  const others = new Map<BehaviourWord, string[]>();
  const offDuty: string[] = [];
  let answering = 0;
  for (const phone of phones) {
    const word = agents[phone.ref] ?? 'answer';
    if (word !== 'answer') others.set(word, [...(others.get(word) ?? []), phone.name]);
    else if (phone.kind === 'agent' && phone.hours !== null && closed.has(phone.hours))
      offDuty.push(phone.name);
    else answering += 1;
  }
  const out = Object.entries(signedOut).flatMap(([department, members]): [Ref, string[]][] => {
    const names = phones.filter(({ ref }) => members.includes(ref)).map(({ name }) => name);
    return refs.has(department) && names.length > 0 ? [[department, names]] : [];
  });
  return { answering, others: [...others], offDuty, signedOut: out };
}

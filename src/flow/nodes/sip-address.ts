// A SIP address elsewhere, which is rung like a phone. Whether its host may be called is asked where it is dialled.

import { inTemplate, unasked } from '../facts.ts';
import { fill } from '../filling.ts';
import type { SipAddressNode } from '../logic-nodes.ts';
import type { SipCall } from '../logic-phase.ts';
import type { Ref } from '../node.ts';
import { type RingPlan, ring } from '../ringing.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { HIDDEN_VALUE } from '../variables.ts';

/** The length of a header's value, once its variables are in it. */
export const MAX_HEADER_VALUE = 200;
const MAX_USER = 128;
const CALLER_ID = /^\+?[0-9*#]{1,32}$/;

function enterSipAddress(turn: Turn, node: SipAddressNode): Ref | null {
  turn.dropTypedAhead(node.ref);
  const { ref, ringSeconds, failover } = node;
  const plan: RingPlan = {
    node: ref,
    left: [],
    ringMs: (ringSeconds ?? turn.flow.settings.ringSeconds) * 1_000,
    failover,
    failure: 'agent-unreachable',
    queue: null,
  };
  const { call, shown } = callOf(turn, node);
  return ring(turn, plan, [{ id: ref, owner: ref, via: 'sip', number: shown, sip: call }], []);
}

/** `shown`: without what a sensitive variable has in it. */
function callOf(turn: Turn, node: SipAddressNode): { readonly call: SipCall; readonly shown: string } {
  const { ref, user, host, username, sealedPassword } = node;
  const filled = fill(turn, ref, user);
  // A line break must not reach the Request-URI.
  const dialled = plain(filled.value).slice(0, MAX_USER).toWellFormed();
  const at = (name: string): string => (name === '' ? host : `${name}@${host}`);
  return {
    shown: at(filled.sensitive ? HIDDEN_VALUE : dialled),
    call: {
      user: dialled,
      host,
      port: node.port,
      transport: node.transport,
      ...(node.secure ? { secure: true as const } : {}),
      headers: headersOf(turn, node),
      ...callerId(turn, node),
      ...(username === undefined ? {} : { username }),
      ...(sealedPassword === undefined ? {} : { sealedPassword }),
    },
  };
}

/** One that is empty is left out. */
function headersOf(turn: Turn, { ref, headers }: SipAddressNode): SipCall['headers'] {
  return headers.flatMap(({ name, value }) => {
    const text = plain(fill(turn, ref, value).value)
      .trim()
      .slice(0, MAX_HEADER_VALUE)
      .toWellFormed();
    return text === '' ? [] : [{ name, value: text }];
  });
}

function callerId(turn: Turn, { ref, callerId: template }: SipAddressNode): Pick<SipCall, 'shown'> {
  if (template === null) return {};
  const { value } = fill(turn, ref, template);
  return CALLER_ID.test(value) ? { shown: value } : {};
}

/** A line break would begin a header of its own. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

export const sipAddress: NodeRules<SipAddressNode> = {
  enter: enterSipAddress,
  phases: {},
  recordings: () => [],
  edges: ({ failover }) => unasked('/failover_destination', failover),
  uses: ({ user, headers, callerId: shown }) => [
    ...inTemplate('/uri', user),
    ...headers.flatMap(({ name, value }) => inTemplate(`/headers/${name}`, value)),
    ...inTemplate('/caller_id', shown ?? ''),
  ],
  serves: () => true,
  rings: true,
  answersLate: true,
};

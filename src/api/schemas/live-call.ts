// What may be asked of calls that live, and how they are shown.
import { LIVE_STATES } from '../../calls/operator/live-calls.ts';
import { isSettable, MAX_VALUE, MAX_VARIABLES } from '../../flow/variables.ts';
import { dialable, eid } from '../../kinds/common-fields.ts';
import { deprecated, type Field, named, oneOf, optional, text } from '../../kinds/field.ts';
import { DESTINATION_KINDS } from '../../kinds/lists.ts';
import { destination } from '../../kinds/reference-fields.ts';
import type { ApiRequest } from '../http/handler.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { CALL_IDS, CALL_OUTPUT, object, string } from './output.ts';

export const LIVE_CALLS_QUERY = {
  ...PAGE_QUERY,
  state: optional(oneOf(LIVE_STATES), null),
  direction: optional(oneOf(['inbound', 'internal', 'outbound']), null),
  agent: optional(text({ min: 1, max: 64, description: 'eid of the agent whom the caller talks to' }), null),
  caller: optional(text({ min: 1, max: 100, description: 'the number that calls' }), null),
} as const;

const callId = text({ min: 1, max: 64, description: 'id of a live call' });
export const CALL_ID_FIELDS = { call_id: callId, id: deprecated(optional(callId, null), 'call_id') } as const;

/** A body that names the call by the former name of `call_id`. */
export const withCallId = (body: ApiRequest['body']['value']): ApiRequest['body']['value'] => ({
  ...body,
  call_id: body['call_id'] ?? body['id'],
});

export const TRANSFER_FIELDS = {
  ...CALL_ID_FIELDS,
  destination: destination(DESTINATION_KINDS),
  party: optional(
    oneOf(['caller', 'called'], 'who is sent there; the other side is hung up'),
    'caller' as const,
  ),
  consult: optional(
    oneOf([true, false], 'whether the other side, an agent, talks to the destination first'),
    false as const,
  ),
} as const;

export const LISTEN_FIELDS = {
  ...CALL_ID_FIELDS,
  agent: eid,
  mode: optional(
    oneOf(
      ['monitor', 'whisper', 'barge'],
      'monitor hears both sides; whisper is heard by the agent, barge by both',
    ),
    'monitor' as const,
  ),
} as const;

export const ADD_FIELDS = { call_id: callId, number: dialable } as const;

export const CLICK_FIELDS = { agent: eid, number: dialable } as const;

const variables: Field<Readonly<Record<string, string>>> = {
  input: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_VARIABLES },
  output: { type: 'object', additionalProperties: string },
  samples: [{ order_number: '4711' }],
  read(value, at, faults) {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null;
    const isGood =
      entries !== null &&
      !Array.isArray(value) &&
      entries.length <= MAX_VARIABLES &&
      entries.every(
        ([name, text]) => isSettable(name) && typeof text === 'string' && text.length <= MAX_VALUE,
      );
    if (isGood) return Object.fromEntries(entries);
    const message = `${named(at)} must be an object of at most ${MAX_VARIABLES} texts of ${MAX_VALUE} characters, by names that are not built in.`;
    faults.add(at, 'text_malformed', message);
    return undefined;
  },
};

export const PLACE_FIELDS = {
  number: dialable,
  destination: destination(DESTINATION_KINDS),
  variables: optional(variables, {} as Readonly<Record<string, string>>),
} as const;

const { direction, caller, dialled, entry, started_at } = CALL_OUTPUT;
const orNull = { type: ['string', 'null'] };

export const LIVE_CALL = object({
  id: string,
  ...CALL_IDS,
  direction: direction ?? {},
  caller: caller ?? {},
  caller_name: string,
  dialled: dialled ?? {},
  entry: entry ?? {},
  started_at: started_at ?? {},
  state: { enum: LIVE_STATES },
  node: { ...orNull, description: 'where in the flow it is' },
  agent: { ...orNull, description: 'eid of the agent whom the caller talks to' },
  ringing: { type: 'array', items: string, description: 'eids of the agents whose phones ring for it' },
  department: orNull,
  waiting_since: { ...orNull, format: 'date-time' },
  waited_ms: { type: ['integer', 'null'], minimum: 0 },
  answered_at: { ...orNull, format: 'date-time' },
  consultation: { ...orNull, description: 'id of the call in which its agent consults somebody meanwhile' },
  variables: { type: 'object', additionalProperties: { type: 'string' } },
  consults_for: { ...orNull, description: 'id of the call that waits for this consultation' },
  node_id: string,
});

export const PARTIAL = {
  unanswered_nodes: {
    type: 'array',
    items: string,
    description:
      'Ids of nodes that did not answer: their calls are missing. Absent when all answered, and where there is one node.',
  },
};

// What may be sent for agents and teams. What the service counts or makes (id, calls_answered, digests)
// is not among the fields, so it cannot be set from outside.
import { AGENT_DEFAULTS } from '../../domain/agent.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import {
  digitsOf,
  type Field,
  named,
  oneOf,
  optional,
  pattern,
  shown,
  text,
  wholeNumber,
} from '../../kinds/field.ts';
import { isId } from '../../kinds/reference.ts';
import { CHOSEN_ID, destination } from '../../kinds/reference-fields.ts';

const followMeNumber = pattern(
  /^(\+?[0-9]{3,15})?$/,
  'a telephone number: 3 to 15 digits, + before them if you like; empty for none',
);
export const flag = oneOf([0, 1]);
export const intercom = pattern(/^[0-9]{2,10}$/, '2 to 10 digits');

export const eid: Field<string> = {
  input: { type: ['string', 'integer'], pattern: '^[A-Za-z0-9._-]{1,64}$' },
  output: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    const form = '1 to 64 letters, digits, ".", "_" or "-"';
    faults.add(at, 'text_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

const { description: _, ...newId } = CHOSEN_ID.input;
const newEid: Field<string> = { ...CHOSEN_ID, input: newId };

export const AGENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  follow_me_number: optional(followMeNumber, AGENT_DEFAULTS.follow_me_number),
  eid: optional(newEid, null),
  intercom: optional(intercom, null),
  product_clicktocall: optional(flag, AGENT_DEFAULTS.product_clicktocall),
  team_id: optional(wholeNumber(1, 2_000_000_000), AGENT_DEFAULTS.team_id),
  timegroup_id: optional(eid, AGENT_DEFAULTS.timegroup_id),
  failover_destination: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.failover_destination),
  sip_sha256: optional(
    oneOf([true, false], 'ask phones for SHA-256 (RFC 8760); many understand MD5 alone'),
    AGENT_DEFAULTS.sip_sha256,
  ),
  do_not_disturb: optional(
    oneOf([true, false], 'offer no call; a direct one goes on as to a busy agent'),
    AGENT_DEFAULTS.do_not_disturb,
  ),
  forward_always: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.forward_always),
  forward_busy: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.forward_busy),
  forward_no_answer: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.forward_no_answer),
  after_call_destination: optional(destination(DESTINATION_KINDS), AGENT_DEFAULTS.after_call_destination),
  call_waiting: optional(
    oneOf([true, false], 'ring for a direct call while the agent talks'),
    AGENT_DEFAULTS.call_waiting,
  ),
  record_calls: optional(oneOf([true, false], 'record calls with this agent'), AGENT_DEFAULTS.record_calls),
} as const;

export const TEAM_FIELDS = { name: text({ min: 1, max: 100 }) } as const;

// Click to call: an agent's phone rings, then the number. What refuses it is decided by the telephone side (calls/operator/click-to-call.ts).
import type { ClickRefusal } from '../../calls/operator/click-to-call.ts';
import { newId } from '../../domain/id.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { auditCall } from '../account/audit.ts';
import { type ApiResponse, done, type Handler, header } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { CLICK_FIELDS } from '../schemas/live-call.ts';
import { limitReached, OUTBOUND_FULL } from './limit-reached.ts';
import { callControlOf } from './live-call.ts';

const ROUTE = 'POST /v1/click_to_call';

export const clickToCall: Handler = (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const { storage } = context;
  return once(ROUTE, request, context, async (claim) => {
    const fields = readRecord(CLICK_FIELDS, request.body.value);
    if (isProblem(fields)) return fields;
    const { agent, number } = fields;
    // In the response before the call exists.
    const id = newId(request.nowMs);
    const response: ApiResponse = done(
      201,
      `The phones of agent ${agent} ring; whoever answers is connected to ${number}.`,
      {
        headers: { location: `/v1/call/record/${id}` },
        members: { id, call_id: id },
      },
    );
    // Claimed before the first phone rings: after a crash the same request rings no phone twice.
    const idempotency = claim(response);
    const result = idempotency
      ? await storage.claim({ accountId: request.account.id, atMs: request.nowMs, idempotency })
      : ({ outcome: 'created' } as const);
    if (result.outcome !== 'created') return { result, response };
    const refusal = await control.clickToCall({ account: request.account.id, id, eid: agent, number });
    if (!refusal) {
      await auditCall(request, context, 'click_to_call', id);
      return { result, response };
    }
    const key = header(request, 'idempotency-key');
    if (key !== undefined) await storage.dropClaim({ accountId: request.account.id, route: ROUTE, key });
    return refused(refusal.refused, refusal.retryAfterSeconds ?? 1);
  });
};

function refused(why: ClickRefusal, retryAfterSeconds: number): Problem {
  switch (why) {
    case 'agent-unknown':
      return problem('record_unknown', 'There is no agent with this eid.');
    case 'product-not-applied':
      return problem(
        'click_to_call_not_applied',
        'This agent has no click to call: product_clicktocall is 0.',
      );
    case 'agent-blocked':
      return problem('agent_unavailable', 'This agent is blocked.');
    case 'agent-busy':
      return problem('agent_unavailable', 'This agent is in a call, or a phone of theirs rings.');
    case 'agent-unreachable':
      return problem('agent_unavailable', 'No phone of this agent is registered.');
    case 'outbound-full':
      return OUTBOUND_FULL;
    case 'max_calls_per_agent':
    case 'max_legs':
      return limitReached(why);
    case 'too-many':
      return problem('rate_limited', `Too many calls were asked for; wait ${retryAfterSeconds} s.`, {
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    case 'number-unreachable':
    case 'destination-unknown':
    case 'number-unknown':
    case 'number-not-allowed':
      return notAllowed();
    default:
      return why satisfies never;
  }
}

function notAllowed(): Problem {
  const faults = new Faults();
  const message =
    'number is neither an intercom number, nor one of yours, nor one that a trunk lets agents call.';
  faults.add('/number', 'number_not_allowed', message);
  return faults.toProblem();
}

// POST /v1/call: dials a number by the rules of the trunks, and puts whoever answers into a destination, with variables.
import type { ClickRefusal } from '../../calls/operator/click-to-call.ts';
import { newId } from '../../domain/id.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { auditCall } from '../account/audit.ts';
import { type ApiResponse, done, type Handler, header } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { PLACE_FIELDS } from '../schemas/live-call.ts';
import { limitReached, OUTBOUND_FULL } from './limit-reached.ts';
import { callControlOf } from './live-call.ts';

const ROUTE = 'POST /v1/call';

export const placeCall: Handler = (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const { storage } = context;
  return once(ROUTE, request, context, async (claim) => {
    const fields = readRecord(PLACE_FIELDS, request.body.value);
    if (isProblem(fields)) return fields;
    // In the response before the call exists.
    const id = newId(request.nowMs);
    const { number, destination } = fields;
    const response: ApiResponse = done(201, `${number} is called; whoever answers gets to ${destination}.`, {
      headers: { location: `/v1/call/record/${id}` },
      members: { id, call_id: id },
    });
    // Claimed before the number is dialled: after a crash the same request dials it once.
    const idempotency = claim(response);
    const result = idempotency
      ? await storage.claim({ accountId: request.account.id, atMs: request.nowMs, idempotency })
      : ({ outcome: 'created' } as const);
    if (result.outcome !== 'created') return { result, response };
    const refusal = await control.placeCall({ account: request.account.id, id, ...fields });
    if (!refusal) {
      await auditCall(request, context, 'place_call', id);
      return { result, response };
    }
    const key = header(request, 'idempotency-key');
    if (key !== undefined) await storage.dropClaim({ accountId: request.account.id, route: ROUTE, key });
    return refused(refusal.refused, refusal.retryAfterSeconds ?? 1);
  });
};

function refused(why: ClickRefusal, retryAfterSeconds: number): Problem {
  const faults = new Faults();
  switch (why) {
    case 'outbound-full':
      return OUTBOUND_FULL;
    case 'max_legs':
      return limitReached(why);
    case 'too-many':
      return problem('rate_limited', `Too many calls were asked for; wait ${retryAfterSeconds} s.`, {
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    case 'destination-unknown':
      faults.add(
        '/destination',
        'reference_unknown',
        'destination does not exist, or is a number that no trunk lets agents call.',
      );
      return faults.toProblem();
    default:
      faults.add(
        '/number',
        'number_not_allowed',
        'number is not one that a trunk of the account lets agents call now.',
      );
      return faults.toProblem();
  }
}

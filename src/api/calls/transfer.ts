// Transfers of live calls: at once, or after a word of the agent with the destination (consultation).
import type { TransferredBy } from '../../calls/records/call-record.ts';
import type { ConsultOutcome, TransferOutcome } from '../../calls/transfer-outcome.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { auditCall } from '../account/audit.ts';
import { type ApiRequest, done, type Handler } from '../http/handler.ts';
import { refuseForbiddenNumbers } from '../records/outbound.ts';
import { CALL_ID_FIELDS, TRANSFER_FIELDS, withCallId } from '../schemas/live-call.ts';
import { callControlOf, UNKNOWN } from './live-call.ts';

function operatorOf({ token }: ApiRequest): TransferredBy {
  return { kind: 'operator', id: token.id, name: token.name };
}

export const transferCall: Handler = async (request, context) => {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const fields = readRecord(TRANSFER_FIELDS, withCallId(request.body.value));
  if (isProblem(fields)) return fields;
  const forbidden = await refuseForbiddenNumbers(fields, request);
  if (forbidden) return forbidden;
  const { call_id: id, party, destination, consult } = fields;
  const by = operatorOf(request);
  const who = party === 'caller' ? 'The caller' : 'The called side';
  if (consult) {
    const order = { kind: 'begin', party, to: destination } as const;
    const outcome = await control.consult({ account: request.account.id, id, order, by });
    if (typeof outcome === 'string') return refused(outcome, destination);
    await auditCall(request, context, 'consult', id);
    const members = { consultation: outcome.id };
    return done(200, `${who} waits while the agent is connected to ${destination}.`, { members });
  }
  const outcome = await control.transfer({ account: request.account.id, id, party, to: destination, by });
  if (outcome !== 'transferred') return refused(outcome, destination);
  await auditCall(request, context, 'transfer', id);
  return done(200, `${who} is sent to ${destination}.`);
};

const ended =
  (kind: 'complete' | 'cancel', message: string): Handler =>
  async (request, context) => {
    const control = callControlOf(context);
    if (isProblem(control)) return control;
    const fields = readRecord(CALL_ID_FIELDS, withCallId(request.body.value));
    if (isProblem(fields)) return fields;
    const { call_id: id } = fields;
    const outcome = await control.consult({
      account: request.account.id,
      id,
      order: { kind },
      by: operatorOf(request),
    });
    if (typeof outcome === 'string') return refused(outcome, '');
    await auditCall(request, context, `consult_${kind}`, id);
    return done(200, message);
  };

export const completeTransfer = ended('complete', 'The call is transferred: the agent is out of it.');
export const cancelTransfer = ended('cancel', 'The agent is back in the call; the consultation is over.');

function refused(
  why: Exclude<TransferOutcome | ConsultOutcome, 'transferred' | object>,
  destination: string,
): Problem {
  switch (why) {
    case 'unknown':
      return UNKNOWN;
    case 'destination-unknown': {
      const faults = new Faults();
      const message = `${destination} does not exist: the call stays where it is.`;
      faults.add('/destination', 'reference_unknown', message);
      return faults.toProblem();
    }
    case 'not-connected':
      return problem(
        'call_not_connected',
        'This call has not been answered yet: only its caller can be transferred.',
      );
    case 'not-joinable':
      return problem('call_not_connected', 'The agent’s place cannot be taken over: the call is ending.');
    case 'consulting':
      return problem('call_consulting', 'A consultation for this call goes on: complete or cancel it first.');
    case 'three-way':
      return problem(
        'call_three_way',
        'A third party or a conference room is part of this: an attended transfer joins two parties alone. Transfer without consult.',
      );
    case 'not-consulting':
      return problem('call_not_consulting', 'There is no consultation for this call.');
    case 'no-agent':
      return problem('agent_unavailable', 'The other side is not an agent: only agents consult.');
    case 'full':
      return problem(
        'rate_limited',
        'The account has as many calls as it may, or this one had too many consultations.',
        {
          headers: { 'retry-after': '5' },
        },
      );
    default:
      return why satisfies never;
  }
}

// Text messages: sent by request, listed with those that calls caused, and reported on by a gateway.
import { newId } from '../../domain/id.ts';
import { Numbering } from '../../domain/numbering.ts';
import { readData } from '../../domain/row.ts';
import type { SmsMessage } from '../../domain/sms-message.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { splitSms } from '../../kinds/sms-parts.ts';
import { checkLength, fillTemplate } from '../../kinds/sms-text.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import { DELIVERY_FIELDS, readSms, SMS_QUERY, type SmsBody } from '../schemas/sms.ts';

const unknownMessage = (): Problem => problem('record_unknown', 'There is no SMS with this id.');

export const NO_GATEWAY = problem(
  'sms_unavailable',
  'This service has no SMS gateway, so no SMS can be sent: set SMS_URL where it runs.',
);

function describe({ gatewayIds: _, ...message }: SmsMessage): object {
  return {
    id: message.id,
    to: message.to,
    text: message.text,
    parts: message.parts,
    template: message.templateId,
    call_id: message.callId,
    state: message.state,
    error: message.error,
    created_at: new Date(message.createdAtMs).toISOString(),
    updated_at: new Date(message.updatedAtMs).toISOString(),
    sent_at: message.sentAtMs === null ? null : new Date(message.sentAtMs).toISOString(),
  };
}

export const createSms: Handler = (request, context) =>
  once('POST /v1/sms', request, context, async (claim) => {
    const sms = readSms(request.body.value);
    if (isProblem(sms)) return sms;
    if (!context.capabilities.sms) return NO_GATEWAY;
    const text = await textOf(sms, request, context);
    if (isProblem(text)) return text;
    if (!(await context.allowance.take(request.account.id))) return tooMany(context);
    const id = newId(request.nowMs);
    const parts = splitSms(text.text).parts.length;
    const response = done(201, `SMS queued, as ${parts === 1 ? 'one message' : `${parts} messages`}.`, {
      headers: { location: `/v1/sms/${id}` },
      members: { id },
    });
    const idempotency = claim(response);
    const result = await context.storage.queueMessages({
      messages: [
        {
          id,
          accountId: request.account.id,
          callId: null,
          to: sms.to,
          templateId: sms.template,
          text: text.text,
          parts,
          createdAtMs: request.nowMs,
        },
      ],
      ...(idempotency ? { idempotency } : {}),
    });
    if (result.outcome === 'claimed_before') return { result, response };
    return result.refused.length > 0 ? tooMany(context) : { result: { outcome: 'created' }, response };
  });

function tooMany({ allowance }: ApiContext): Problem {
  return problem('sms_rate_limited', 'The account may send no more SMS in this minute.', {
    headers: { 'retry-after': String(allowance.secondsLeft) },
  });
}

/** In a value of its own, so that it cannot be taken for a Problem. */
async function textOf(
  sms: SmsBody,
  request: ApiRequest,
  context: ApiContext,
): Promise<{ text: string } | Problem> {
  if (sms.template === null) return { text: sms.text ?? '' };
  const row = await context.storage.getRecord({
    accountId: request.account.id,
    kind: 'sms_template',
    id: sms.template,
  });
  const faults = new Faults();
  const template = row ? readData('sms_template', row.json) : null;
  const text = template ? fillTemplate(template.text, sms.variables) : '';
  if (template?.status === 'active') checkLength(text, faults);
  else {
    const why = template ? 'is inactive' : 'does not exist';
    faults.add('/template', 'sms_template_unusable', `SMS template ${sms.template} ${why}.`);
  }
  return faults.list.length > 0 ? faults.toProblem() : { text };
}

export const getSms: Handler = async (request, context) => {
  const message = await context.storage.getMessage({
    accountId: request.account.id,
    id: request.params['id'] ?? '',
  });
  if (!message) return unknownMessage();
  return { status: 200, json: { ...describe(message), gateway_ids: message.gatewayIds } };
};

/** Newest first. */
export const listSms: Handler = async (request, context) => {
  const query = readQuery(SMS_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const { limit, state, call_id: callId, from, to } = query;
  const recipient = query.recipient ?? (to && 'recipient' in to ? to.recipient : null);
  const until = to && 'beforeMs' in to ? to.beforeMs : query.until;
  const [before] = place;
  const rows = await context.storage.listMessages({
    accountId: request.account.id,
    limit: limit + 1,
    ...(before === undefined ? {} : { before: String(before) }),
    ...(state === null ? {} : { state }),
    ...(recipient === null ? {} : { to: new Numbering(request.account.settings).forms(recipient) }),
    ...(callId === null ? {} : { callId }),
    ...(from === null ? {} : { fromMs: from }),
    ...(until === null ? {} : { untilMs: until }),
  });
  return pageResponse(request, '/v1/sms', { rows, limit, describe, position: ({ id }) => [id] });
};

/** For gateways that speak HTTP: what the network reported. */
export const reportSms: Handler = async (request, context) => {
  const report = readRecord(DELIVERY_FIELDS, request.body.value);
  if (isProblem(report)) return report;
  const address = { accountId: request.account.id, id: request.params['id'] ?? '' };
  if (!(await context.storage.getMessage(address))) return unknownMessage();
  const { state, error } = report;
  const change = { ...address, state, ...(error === null ? {} : { error }) };
  await context.storage.changeMessages({ changes: [change], atMs: request.nowMs });
  return done(200, `SMS ${state}.`);
};

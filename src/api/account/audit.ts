// Who changed what, and when. Entries are written by the storage in the transaction of the change (storage/pipeline.ts).

import type { Token } from '../../domain/account.ts';
import type { User } from '../../domain/user.ts';
import { optional, text } from '../../kinds/field.ts';
import { instant } from '../../kinds/moment.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { Actor, AuditEntry } from '../../storage/ports/audit.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { object, string, time } from '../schemas/output.ts';

export const AUDIT_QUERY = {
  ...PAGE_QUERY,
  kind: optional(
    text({ min: 1, max: 40, description: 'what was changed: ivr, agent, settings, token, call …' }),
    null,
  ),
  record_id: optional(text({ min: 1, max: 64, description: 'the id of what was changed' }), null),
  from: optional(instant('changes made then or later'), null),
  to: optional(instant('changes made before'), null),
} as const;

export const AUDIT_ENTRY = object({
  id: string,
  at: time,
  actor_id: { ...string, description: 'id of the token, or "command line"' },
  actor_name: { ...string, description: 'the name of the user or token then' },
  request_id: string,
  action: { ...string, description: 'create, update, delete, hang_up, transfer, click_to_call …' },
  kind: string,
  record_id: string,
  record_name: {
    type: ['string', 'null'],
    description: 'the name or number that the record had then, also after it was changed or deleted',
  },
  version: { type: ['integer', 'null'] },
  user_id: { type: ['string', 'null'], description: 'id of the user who did it' },
  changes: {
    type: ['array', 'null'],
    description: 'what became different; null: not known',
    items: object(
      { member: string, before: {}, after: {} },
      { secret: { const: true, description: 'its values are not kept' } },
    ),
  },
});

export function actorOf({ token, user, requestId, nowMs }: ApiRequest): Actor {
  return actorBy(token, user, { requestId, nowMs });
}

/** A person by name; a token of theirs is named beside it. */
export function actorBy(
  { id, name, use }: Pick<Token, 'id' | 'name' | 'use'>,
  user: User | null,
  { requestId, nowMs: atMs }: Pick<ApiRequest, 'requestId' | 'nowMs'>,
): Actor {
  if (!user) return { id, name, requestId, atMs };
  return { id, name: use === 'api' ? `${user.name} (${name})` : user.name, requestId, atMs, userId: user.id };
}

/** What was done to a live call leaves no record that could be asked. */
export function auditCall(
  request: ApiRequest,
  context: ApiContext,
  action: string,
  recordId: string,
): Promise<void> {
  return audited(request, context, action, 'call', recordId);
}

/** What was done with a record, and changed nothing of it. */
export function audited(
  request: ApiRequest,
  { storage }: ApiContext,
  action: string,
  kind: string,
  recordId: string,
): Promise<void> {
  return storage.addAudit({ accountId: request.account.id, action, kind, recordId, by: actorOf(request) });
}

export const listAudit: Handler = async (request, context) => {
  const query = readQuery(AUDIT_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const { kind, record_id: recordId, from, to, limit } = query;
  const entries = await context.storage.listAudit({
    accountId: request.account.id,
    ...(kind === null ? {} : { kind }),
    ...(recordId === null ? {} : { recordId }),
    ...(from === null ? {} : { fromMs: from }),
    ...(to === null ? {} : { toMs: to }),
    ...(place.length > 0 ? { beforeId: String(place[0]) } : {}),
    limit: limit + 1,
  });
  return pageResponse(request, '/v1/audit', { rows: entries, limit, describe, position: ({ id }) => [id] });
};

function describe(entry: AuditEntry): object {
  return {
    id: entry.id,
    at: new Date(entry.atMs).toISOString(),
    actor_id: entry.actorId,
    actor_name: entry.actorName,
    request_id: entry.requestId,
    action: entry.action,
    kind: entry.kind,
    record_id: entry.recordId,
    record_name: entry.recordName,
    version: entry.version,
    user_id: entry.userId,
    changes: entry.changes,
  };
}

// POST for any kind of record, with an id of the client's choice or one that is made.
import { newId } from '../../domain/id.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import { KINDS, type RecordKind } from '../../kinds/lists.ts';
import { Faults, isProblem, type Problem } from '../../kinds/problem.ts';
import type { RecordData } from '../../kinds/record-data.ts';
import { CHOSEN_ID } from '../../kinds/reference-fields.ts';
import { MAX_BODY } from '../http/body.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { wantsRecord } from '../http/prefer.ts';
import {
  addressOf,
  type Collection,
  completed,
  describeCreated,
  MAX_ATTEMPTS,
  readChecked,
  refusalOf,
  representation,
} from './collection.ts';
import { reached } from './quotas.ts';
import { inWords } from './warnings.ts';

export function creating<K extends RecordKind>(of: Collection<K>): Handler {
  return (request, context) =>
    once(`POST ${KINDS[of.kind].path}`, request, context, async (claim) => {
      const chosen = readChosenId(of, request.body.value);
      const id = isProblem(chosen) ? '' : (chosen.id ?? (await madeId(of, request, context)));
      const checked = await readChecked(of, request, context, id);
      if (isProblem(chosen)) return isProblem(checked) ? together(chosen, checked) : chosen;
      if (isProblem(checked)) return checked;
      const most = of.most?.(request.account.limits);
      const refusal = await context.quotas.refuseRecord(request.account);
      if (refusal) return refusal;
      for (let attempt = 1; ; attempt++) {
        const { data, madeKeys, shownOnce } = await completed(of, checked.data, request, context, id);
        const { message, key, members } = describeCreated(of, id, data);
        const said = inWords(message, checked.warnings);
        const headers = { location: `${KINDS[of.kind].path}/${key}` };
        const plain = done(201, said, { headers, members });
        const show = wantsRecord(request) ? await newRepresentation(of, id, data, request, context) : null;
        const kept = show === null ? plain : bounded(show(), plain);
        const json = JSON.stringify(data);
        const full = await context.quotas.refuseBytes(request.account, json);
        if (full) return full;
        const idempotency = claim(kept);
        const result = await context.storage.createRecord({
          ...addressOf(of.kind, request, id),
          atMs: request.nowMs,
          json,
          ...uniqueKeys(of.kind, id, data),
          ...(most === undefined ? {} : { most }),
          ...(chosen.id === null ? {} : { isChosen: true }),
          ...(idempotency ? { idempotency } : {}),
        });
        if (result.outcome === 'key_taken' && madeKeys?.includes(result.key.name) && attempt < MAX_ATTEMPTS)
          continue;
        if (result.outcome === 'too_many') return reached(`${KINDS[of.kind].noun}s`, `${most}`);
        if (result.outcome !== 'created' && result.outcome !== 'claimed_before')
          return refusalOf(of.kind, result);
        if (show !== null) return { result, response: show(shownOnce?.members) };
        if (!shownOnce) return { result, response: kept };
        const all = { ...members, ...shownOnce.members };
        return { result, response: done(201, `${said} ${shownOnce.message}`, { headers, members: all }) };
      }
    });
}

async function madeId<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
): Promise<string> {
  return of.makeId ? of.makeId(request, context) : newId(request.nowMs);
}

/** The record as it will be stored: reading it back would cost a request to the database. */
export function newRepresentation<K extends RecordKind>(
  of: Collection<K>,
  id: string,
  data: RecordData[K],
  request: ApiRequest,
  context: ApiContext,
): Promise<(more?: object) => ApiResponse> {
  const { nowMs } = request;
  const record = { id, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs, data };
  return representation(of, record, 201, request, context);
}

/** What an Idempotency-Key stores for a day is no larger than a body may be: else it is the answer without the record. */
export function bounded(shown: ApiResponse, plain: ApiResponse): ApiResponse {
  return (shown.bytes?.length ?? 0) > MAX_BODY ? plain : shown;
}

/** Null if none was chosen. Agents are named by their eid instead. */
export function readChosenId<K extends RecordKind>(
  of: Collection<K>,
  body: ApiRequest['body']['value'],
): { id: string | null } | Problem {
  const sent = body['id'];
  if (of.key !== undefined || sent === undefined || sent === null || sent === '') return { id: null };
  const faults = new Faults();
  const id = (of.idField ?? CHOSEN_ID).read(sent, '/id', faults);
  if (faults.list.length > 0) return faults.toProblem();
  return { id: id === null ? null : String(id) };
}

function together(one: Problem, other: Problem): Problem {
  if (!other.faults) return one;
  const faults = new Faults();
  faults.list.push(...(one.faults ?? []), ...other.faults);
  return faults.toProblem();
}

// Where a record is used: the records and settings that point to it.

import { mayDo } from '../../domain/roles.ts';
import { RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { object, string } from '../schemas/output.ts';
import { type Collection, find, unknownRecord } from './collection.ts';
import { COLLECTIONS } from './collections.ts';
import { usersOf } from './deletion.ts';
import { MAX_SHOWN } from './referrers.ts';

export const REFERENCES_SCHEMAS = {
  References: object({
    data: {
      type: 'array',
      items: object({
        kind: { ...string, description: 'the kind of the record that points to it, or settings' },
        id: string,
        name: string,
      }),
    },
    is_complete: {
      type: 'boolean',
      description: `false: more than ${MAX_SHOWN} do, and the others are not listed`,
    },
  }),
} as const;

export const listReferences: Handler = async (request, context) => {
  const { kind: asked = '', id = '' } = request.params;
  const kind = RECORD_KINDS.find((one) => one === asked);
  if (!kind) return problem('record_unknown', 'There is no such kind of records.');
  return referencesTo(COLLECTIONS[kind], id, request, context);
};

async function referencesTo<K extends RecordKind>(
  of: Collection<K>,
  id: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  // Addresses of webhooks are for those who may see them; their existence, too.
  if (of.kind === 'webhook' && !mayDo(request.user?.role ?? null, 'getWebhook'))
    return unknownRecord(of.kind, of.key);
  const named = { ...request, params: { [of.key ?? 'id']: id } };
  if (!(await find(of, named, context))) return unknownRecord(of.kind, of.key);
  const data = await usersOf(of, id, named, context);
  return {
    status: 200,
    json: { data: data.slice(0, MAX_SHOWN), is_complete: data.length < MAX_SHOWN },
  };
}

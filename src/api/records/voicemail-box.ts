// Voicemail boxes: where callers leave messages.

import { isProblem, problem } from '../../kinds/problem.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { addressOf, unknownRecord } from './collection.ts';
import { deleting } from './deletion.ts';
import { plain } from './plain.ts';
import { FORCE_QUERY } from './referrers.ts';

export const voicemailBoxes = plain('voicemail');

const deleteBox = deleting(voicemailBoxes);

/** A box with messages goes only by force; they stay, and are found by its id. */
export const deleteVoicemailBox: Handler = async (request, context) => {
  const query = readQuery(FORCE_QUERY, request);
  if (isProblem(query)) return query;
  const { accountId, id } = addressOf('voicemail', request);
  const filter = { accountId, kind: 'voicemail', box: id, limit: 1 } as const;
  if (query.force === 'true' || (await context.storage.listCallRecordings(filter)).length === 0)
    return deleteBox(request, context);
  if (!(await context.storage.getRecord(addressOf('voicemail', request)))) return unknownRecord('voicemail');
  return problem(
    'still_referenced',
    `There are messages in this voicemail box: GET /v1/voicemails?box=${id} lists them. Add ?force=true to delete the box and keep them.`,
  );
};

// How a planned change is sent to the API: its body, and the operation for each kind.
import type { Client } from '../../client/client.ts';
import { isSealedKind, secretMember } from '../domain/sealed.ts';
import type { Change } from '../import-export/plan.ts';
import { operationOn, pathKey, type RecordKind, TESTED_KINDS } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';

type Members = { readonly [name: string]: unknown };
/** Tests of menus were run by the plan, on the account as it will be; here the rest of it is not there yet. */
const TESTED = { skip_tests: 'true' } as const;

/** A sealed member holds what is to be sent (account-content.ts seals nothing for a service elsewhere); empty: what the service has stays. */
function bodyOf({ kind, data }: Change): Members {
  const { sip: _, custom_status: __, former: ___, ...members } = data as unknown as Members;
  if (!isSealedKind(kind)) return members;
  const member = secretMember(kind);
  const { [`sealed_${member}`]: secret, ...rest } = members;
  if (secret === '') return rest;
  if (secret !== null) return { ...rest, [member]: secret };
  // Secrets that sign are replaced over the API, and never taken away.
  return member === 'password' ? { ...rest, [member]: '' } : rest;
}

/** `stored`: an agent as the service has it. Its eid there is its address; the change may give it another one. */
export async function sendChange(
  dialtree: Client<'minimal'>,
  change: Exclude<Change, { kind: 'recording' }>,
  stored: RecordData['agent'] | undefined,
): Promise<Members> {
  const { kind, id, action } = change;
  const body = bodyOf(change);
  const query = TESTED_KINDS.has(kind) ? { query: TESTED } : {};
  // The operation checks what it is sent; the types of bodies are of no use here.
  const answer =
    action === 'create'
      ? await dialtree[operationOn('create', kind)]({
          body: { ...body, ...newId(kind, id) },
          ...query,
        } as never)
      : await dialtree[operationOn('put', kind)]({
          params: { [pathKey(kind)]: stored?.eid ?? id },
          body,
          ifMatch: tagOf(change),
          ...query,
        } as never);
  if (kind === 'agent') await sendStatus(dialtree, change.data, stored);
  return { ...(answer as Members) };
}

/** Blocking is an operation of its own. */
async function sendStatus(
  dialtree: Client<'minimal'>,
  { eid, custom_status: status }: RecordData['agent'],
  stored: RecordData['agent'] | undefined,
): Promise<void> {
  if (status === (stored?.custom_status ?? 0)) return;
  if (status === 1) await dialtree.blockAgent({ params: { eid }, query: TESTED });
  else await dialtree.unblockAgent({ params: { eid }, query: TESTED });
}

/** The service numbers agents, and teams whose number is not in the file: theirs is below 1 in the plan. */
function newId(kind: RecordKind, id: string): { id?: string | number } {
  if (kind === 'agent') return {};
  if (kind !== 'team') return { id };
  return Number(id) < 1 ? {} : { id: Number(id) };
}

/** A record that was changed since it was read is not overwritten. */
const tagOf = ({ version }: Change): string => `"${version}"`;

/** With another sound: as the service stores it, its SHA-256. A new name alone leaves the sound and its origin as they are. */
export async function sendRecording(
  dialtree: Client<'minimal'>,
  change: Extract<Change, { kind: 'recording' }>,
  wav: Buffer | undefined,
): Promise<string> {
  const { id, action, data } = change;
  const { name, description } = data;
  const params = { id };
  if (!wav) {
    await dialtree.patchRecording({
      params,
      body: { name, description },
      ifMatch: tagOf(change),
      query: TESTED,
    });
    return data.sha256;
  }
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), `${id}.wav`);
  body.set('name', name);
  body.set('description', description);
  if (action === 'create') {
    body.set('id', id);
    await dialtree.createRecording({ body, query: TESTED });
  } else await dialtree.putRecording({ params, body, ifMatch: tagOf(change), query: TESTED });
  return (await dialtree.getRecording({ params })).sha256;
}

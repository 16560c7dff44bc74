// How a planned change is sent to the API: its body, and the operation for each kind.
import type { Client } from '../../client/client.ts';
import type { RecordData, RecordKind } from '../domain/kinds.ts';
import { isSealedKind, SEALED } from '../domain/sealed.ts';
import type { Change } from '../import-export/plan.ts';

type Members = { readonly [name: string]: unknown };
type Answer = Promise<unknown>;

interface Operations {
  create(dialtree: Client<'minimal'>, body: never): Answer;
  put(dialtree: Client<'minimal'>, id: string, body: never, ifMatch: string): Answer;
}

/** Tests of menus were run by the plan, on the account as it will be; here the rest of it is not there yet. */
const TESTED = { skip_tests: 'true' } as const;

const OPERATIONS: { readonly [K in Exclude<RecordKind, 'recording'>]: Operations } = {
  ivr: {
    create: (dialtree, body) => dialtree.createIvr({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) => dialtree.putIvr({ params: { id }, body, ifMatch, query: TESTED }),
  },
  department: {
    create: (dialtree, body) => dialtree.createDepartment({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putDepartment({ params: { id }, body, ifMatch, query: TESTED }),
  },
  team: {
    create: (dialtree, body) => dialtree.createTeam({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putTeam({ params: { id }, body, ifMatch }),
  },
  agent: {
    create: (dialtree, body) => dialtree.createAgent({ body, query: TESTED }),
    put: (dialtree, eid, body, ifMatch) =>
      dialtree.putAgent({ params: { eid }, body, ifMatch, query: TESTED }),
  },
  timegroup: {
    create: (dialtree, body) => dialtree.createTimeGroup({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putTimeGroup({ params: { id }, body, ifMatch, query: TESTED }),
  },
  announcement: {
    create: (dialtree, body) => dialtree.createAnnouncement({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putAnnouncement({ params: { id }, body, ifMatch, query: TESTED }),
  },
  voicemail: {
    create: (dialtree, body) => dialtree.createVoicemailBox({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putVoicemailBox({ params: { id }, body, ifMatch, query: TESTED }),
  },
  room: {
    create: (dialtree, body) => dialtree.createRoom({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) => dialtree.putRoom({ params: { id }, body, ifMatch, query: TESTED }),
  },
  collect: {
    create: (dialtree, body) => dialtree.createCollect({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putCollect({ params: { id }, body, ifMatch, query: TESTED }),
  },
  request: {
    create: (dialtree, body) => dialtree.createRequest({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putRequest({ params: { id }, body, ifMatch, query: TESTED }),
  },
  stream: {
    create: (dialtree, body) => dialtree.createStream({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putStream({ params: { id }, body, ifMatch, query: TESTED }),
  },
  switch: {
    create: (dialtree, body) => dialtree.createSwitch({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putSwitch({ params: { id }, body, ifMatch, query: TESTED }),
  },
  message: {
    create: (dialtree, body) => dialtree.createMessage({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putMessage({ params: { id }, body, ifMatch, query: TESTED }),
  },
  sip_address: {
    create: (dialtree, body) => dialtree.createSipAddress({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putSipAddress({ params: { id }, body, ifMatch, query: TESTED }),
  },
  number: {
    create: (dialtree, body) => dialtree.createNumber({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putNumber({ params: { id }, body, ifMatch }),
  },
  trunk: {
    create: (dialtree, body) => dialtree.createTrunk({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putTrunk({ params: { id }, body, ifMatch }),
  },
  sms_template: {
    create: (dialtree, body) => dialtree.createSmsTemplate({ body, query: TESTED }),
    put: (dialtree, id, body, ifMatch) =>
      dialtree.putSmsTemplate({ params: { id }, body, ifMatch, query: TESTED }),
  },
  webhook: {
    create: (dialtree, body) => dialtree.createWebhook({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putWebhook({ params: { id }, body, ifMatch }),
  },
  blocked_number: {
    create: (dialtree, body) => dialtree.createBlockedNumber({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putBlockedNumber({ params: { id }, body, ifMatch }),
  },
  caller_id_rule: {
    create: (dialtree, body) => dialtree.createCallerIdRule({ body }),
    put: (dialtree, id, body, ifMatch) => dialtree.putCallerIdRule({ params: { id }, body, ifMatch }),
  },
};

/** A sealed member holds what is to be sent (remote-account.ts seals nothing); empty: what the service has stays. */
function bodyOf({ kind, data }: Change): Members {
  const { sip: _, custom_status: __, former: ___, ...members } = data as unknown as Members;
  if (!isSealedKind(kind)) return members;
  const { member } = SEALED[kind];
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
  // The operation checks what it is sent; the types of bodies are of no use here.
  const answer =
    action === 'create'
      ? await OPERATIONS[kind].create(dialtree, { ...body, ...newId(kind, id) } as never)
      : await OPERATIONS[kind].put(dialtree, stored?.eid ?? id, body as never, tagOf(change));
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

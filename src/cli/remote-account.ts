// The account of a token, behind the API, as export and import use it. The API shows no secrets.
import { all, type Client, DialtreeError } from '../../client/client.ts';
import type { SettingsPatch } from '../../client/operations.ts';
import type { Settings } from '../domain/account.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import { isSealedKind, secretMember } from '../domain/sealed.ts';
import type { AccountRecords } from '../import-export/export-file.ts';
import { FIELDS } from '../import-export/fields.ts';
import type { Change } from '../import-export/plan.ts';
import { listOperation, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { makeWebhookSecret } from '../kit/webhook-signature.ts';
import type { AccountSource, AccountTarget, NewSecret } from './account-access.ts';
import { CommandError } from './command.ts';
import { remark } from './io.ts';
import { sendChange, sendRecording } from './remote-write.ts';

type Members = { readonly [name: string]: unknown };

/** One after the other. */
const listed = (dialtree: Client<'minimal'>, kind: RecordKind): AsyncIterable<Members> =>
  kind === 'agent' ? wholeAgents(dialtree) : all<Listing>(dialtree[listOperation(kind)]);

type Listing = (input: never) => PromiseLike<{ data: Members[]; next_cursor: string | null }>;

/** The list of agents lacks some of their members. */
async function* wholeAgents(dialtree: Client<'minimal'>): AsyncIterable<Members> {
  for await (const { eid } of all(dialtree.listAgentsV2)) yield dialtree.getAgent({ params: { eid } });
}

/** What the API does not show: of a secret, only whether there is one. */
function hiddenOf(kind: RecordKind, shown: Members): Members {
  if (kind === 'agent')
    return { team_id: shown['team_id'], timegroup_id: shown['timegroup_id'], sip: NO_DIGESTS };
  if (!isSealedKind(kind)) return {};
  const member = secretMember(kind);
  return { [`sealed_${member}`]: shown[`has_${member}`] === false ? null : '' };
}

function recordOf(kind: RecordKind, shown: Members) {
  const names = Object.keys(FIELDS[kind]).filter((name) => name !== 'id' && shown[name] !== undefined);
  return {
    id: String(shown['id']),
    version: Number(shown['version'] ?? 1),
    createdAtMs: 0,
    updatedAtMs: 0,
    data: { ...Object.fromEntries(names.map((name) => [name, shown[name]])), ...hiddenOf(kind, shown) },
  };
}

async function readAll(dialtree: Client<'minimal'>): Promise<AccountRecords> {
  const lists: [RecordKind, unknown[]][] = [];
  for (const kind of RECORD_KINDS) {
    const records: unknown[] = [];
    for await (const shown of listed(dialtree, kind)) records.push(recordOf(kind, shown));
    lists.push([kind, records]);
  }
  // The cast holds: the API shows what is stored, under the same names (test/cli-archive.test.ts).
  return Object.fromEntries(lists) as unknown as AccountRecords;
}

export function remoteAccount(dialtree: Client<'minimal'>): AccountSource & AccountTarget {
  const sounds = new Map<string, Buffer>();
  const made = new Map<string, string>();
  const agents = new Map<string, RecordData['agent']>();
  /** By recording: the SHA-256 of the sound that the service has. */
  const stored = new Map<string, string>();
  /** Numbers that the service gave to new teams, by those of the plan. */
  const teamNumbers = new Map<number, number>();
  let planned = 0;
  return {
    name: 'of this token',
    async records() {
      const records = await readAll(dialtree);
      for (const { id, data } of records.agent) agents.set(id, data);
      for (const { id, data } of records.recording) stored.set(id, data.sha256);
      return records;
    },
    async settings() {
      const shown = await dialtree.getSettings();
      // The API shows null for what is stored as an empty text.
      const { country, area_code, timezone } = shown;
      return {
        ...shown,
        country: country ?? '',
        area_code: area_code ?? '',
        timezone: timezone ?? '',
      } as Settings;
    },
    limits: async () => (await dialtree.getLimits()) as AccountLimits,
    openSecret: null,
    // The service seals, and makes SIP passwords.
    takesDigests: false,
    open: () => null,
    seal: (_kind, _id, secret) => secret,
    newDigests: () => NO_DIGESTS,
    newWebhookSecret(name) {
      const secret = makeWebhookSecret();
      made.set(name, secret);
      return secret;
    },
    async sound({ id }) {
      const answer = await dialtree.getRecordingAudio({ params: { id } }).catch((error: unknown) => {
        if (error instanceof DialtreeError && error.status === 404) return null;
        throw error;
      });
      if (!answer) return null;
      const wav = new Uint8Array(await answer.arrayBuffer());
      return { bytes: wav.length, read: () => piece(wav) };
    },
    lookForSounds: async () => undefined,
    hasSound: ({ id, sha256 }) => stored.get(id) === sha256,
    async putSound({ id, sha256 }, wav) {
      if (stored.get(id) !== sha256) sounds.set(id, wav);
    },
    takeTeamNumber: async () => --planned,
    changeSettings: async (changes) => {
      // Lists of the domain are read-only, those of the client are not.
      const body = structuredClone(changes) as SettingsPatch;
      await dialtree.patchSettings({ body, query: { skip_tests: 'true' } });
    },
    write: (change) => unlessChanged(change, () => send(change)),
  };

  async function send(change: Change): Promise<NewSecret | null> {
    if (change.kind === 'recording') {
      const sha256 = await sendRecording(dialtree, change, sounds.get(change.id));
      sounds.delete(change.id);
      if (sha256 !== change.data.sha256)
        remark(
          `warning: ${change.title}: the service converted its sound again, so it differs from the file.\n`,
        );
      return null;
    }
    if (change.kind === 'agent') {
      const { team_id: team } = change.data;
      const data = { ...change.data, team_id: teamNumbers.get(team ?? 0) ?? team };
      const answer = await sendChange(dialtree, { ...change, data }, agents.get(change.id));
      const { sip_password: password } = answer;
      return typeof password === 'string'
        ? { kind: 'agent', cells: [data.eid, data.intercom, password] }
        : null;
    }
    const { id } = await sendChange(dialtree, change, undefined);
    if (change.kind === 'team' && change.action === 'create') teamNumbers.set(Number(change.id), Number(id));
    const secret = change.kind === 'webhook' ? made.get(change.data.name) : undefined;
    return secret === undefined ? null : { kind: 'webhook', cells: [change.title, secret] };
  }
}

async function unlessChanged<T>({ title }: Change, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DialtreeError && error.status === 412)
      throw new CommandError(`${title} was changed during the import. Run the import again.`);
    throw error;
  }
}

const NO_DIGESTS = { realm: '', md5: '', sha256: '' };

async function* piece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

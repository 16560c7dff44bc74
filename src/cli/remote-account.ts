// An account behind the API, as export uses it.
import { all, type Client, DialtreeError } from '../../client/client.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import { RECORD_KINDS, type RecordKind } from '../domain/kinds.ts';
import { readRow } from '../domain/row.ts';
import type { AccountRecords } from '../import-export/export-file.ts';
import type { AccountSource } from './account-access.ts';
import { toArray } from './remote.ts';

/** What every record has, as the API shows it. */
interface Shown {
  readonly id: string | number;
  /** Lists of agents have neither version nor times; a file has none of them. */
  readonly version?: number;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** Stands for a secret that the account has and the API does not show: an export reports it as left out. */
const HIDDEN = 'hidden';

export function remoteAccount(dialtree: Client<'minimal'>): AccountSource {
  return {
    name: 'of this token',
    records: () => readAll(dialtree),
    settings: async () => settingsIn(await dialtree.getSettings()),
    openSecret: null,
    async sound({ id }) {
      const answer = await dialtree.getRecordingAudio({ params: { id } }).catch((error: unknown) => {
        if (error instanceof DialtreeError && error.status === 404) return null;
        throw error;
      });
      if (!answer) return null;
      // A prompt is a few megabytes at most.
      const bytes = Buffer.from(await answer.arrayBuffer());
      return {
        bytes: bytes.length,
        async *read() {
          yield bytes;
        },
      };
    },
  };
}

function settingsIn(shown: object): Settings {
  const names = Object.keys(DEFAULT_SETTINGS);
  const known = Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name)));
  return { ...DEFAULT_SETTINGS, ...known };
}

async function readAll(dialtree: Client<'minimal'>): Promise<AccountRecords> {
  const lists: { readonly [K in RecordKind]: () => AsyncIterable<Shown> } = {
    ivr: () => all(dialtree.listIvrs),
    department: () => all(dialtree.listDepartments),
    team: () => all(dialtree.listTeams),
    agent: () => all(dialtree.listAgentsV2),
    timegroup: () => all(dialtree.listTimeGroups),
    announcement: () => all(dialtree.listAnnouncements),
    voicemail: () => all(dialtree.listVoicemailBoxes),
    recording: () => all(dialtree.listRecordings),
    number: () => all(dialtree.listNumbers),
    trunk: () => all(dialtree.listTrunks),
    sms_template: () => all(dialtree.listSmsTemplates),
    webhook: () => all(dialtree.listWebhooks),
    blocked_number: () => all(dialtree.listBlockedNumbers),
    caller_id_rule: () => all(dialtree.listCallerIdRules),
  };
  const kinds: (readonly [RecordKind, unknown])[] = [];
  for (const kind of RECORD_KINDS)
    kinds.push([kind, (await toArray(lists[kind]())).map((shown) => storedOf(kind, shown))]);
  return Object.fromEntries(kinds) as unknown as AccountRecords;
}

/** Members that are not stored are left out by the export, which takes the fields of the kind alone. */
function storedOf(kind: RecordKind, { id, version = 1, created_at = '', updated_at = '', ...shown }: Shown) {
  return readRow(kind, {
    id: String(id),
    version,
    createdAtMs: Date.parse(created_at),
    updatedAtMs: Date.parse(updated_at),
    json: JSON.stringify({ ...shown, ...hiddenOf(kind, shown) }),
  });
}

function hiddenOf(kind: RecordKind, shown: object): object {
  if (kind === 'agent') return { sip: HIDDEN };
  if (kind === 'webhook') return { sealed_secret: HIDDEN, former: null };
  if (kind === 'trunk')
    return { sealed_password: 'has_password' in shown && shown.has_password ? HIDDEN : null };
  return {};
}

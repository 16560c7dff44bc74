// An account as export and import use it: what the API shows and takes, and on the machine of the service what it does not.
import { all, type Client, DialtreeError } from '../../client/client.ts';
import type { SettingsPatch } from '../../client/operations.ts';
import type { Settings } from '../domain/account.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import { isSealedKind, secretMember } from '../domain/sealed.ts';
import type { OpenSecret } from '../import-export/collect.ts';
import { type AccountRecords, byKind } from '../import-export/export-file.ts';
import { FIELDS } from '../import-export/fields.ts';
import type { Change } from '../import-export/plan.ts';
import type { NewSecrets } from '../import-export/to-data.ts';
import { listOperation, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { newPassword } from '../kit/credentials.ts';
import { makeWebhookSecret } from '../kit/webhook-signature.ts';
import { CommandError } from './command.ts';
import { remark } from './io.ts';
import type { LocalSecrets } from './local-secrets.ts';
import { sendChange, sendRecording } from './send-change.ts';

type Members = { readonly [name: string]: unknown };
type Sound = { readonly id: string; readonly sha256: string };

/** A secret that was made for a new record and is shown once: with an agent's eid and intercom, or a webhook's name. */
export interface NewSecret {
  readonly kind: 'agent' | 'webhook';
  readonly cells: readonly string[];
}

export interface AccountContent extends NewSecrets {
  readonly name: string;
  records(): Promise<AccountRecords>;
  settings(): Promise<Settings>;
  limits(): Promise<AccountLimits>;
  /** Null if the API shows no secrets. */
  readonly openSecret: OpenSecret | null;
  /** What callers hear, as it is stored; null: it is missing. */
  sound(recording: Sound): Promise<Buffer | null>;
  /** Whether records are stored as a file has them: SIP digests, and what is known of sounds. */
  readonly isLocal: boolean;
  /** Ids of those whose sounds the account can have without the file. */
  heldSounds(recordings: readonly Sound[]): Promise<ReadonlySet<string>>;
  putSound(recording: Sound, wav: Buffer): Promise<void>;
  changeSettings(changes: Partial<Settings>): Promise<void>;
  /** Throws CommandError when the record was changed meanwhile, or is refused. */
  write(change: Change): Promise<NewSecret | null>;
}

/** As large as a page may be. */
const PAGE = { limit: 500 } as const;

/** One after the other. */
export const listed = (dialtree: Client<'minimal'>, kind: RecordKind): AsyncIterable<Members> =>
  all<Listing>(dialtree[listOperation(kind)], PAGE);

type Listing = (input: { query: { limit?: number; cursor?: string } }) => PromiseLike<{
  data: Members[];
  next_cursor: string | null;
}>;

/** The list of agents lacks some of their members. */
async function* wholeAgents(dialtree: Client<'minimal'>): AsyncIterable<Members> {
  for await (const { eid } of all(dialtree.listAgentsV2, PAGE)) yield dialtree.getAgent({ params: { eid } });
}

/** Kinds that the API neither shows nor takes whole: it makes passwords of agents, seals secrets, and converts sounds. */
const isPartial = (kind: RecordKind): boolean =>
  kind === 'agent' || kind === 'recording' || isSealedKind(kind);

/** In the place of what the API does not show: of a secret, only whether there is one. */
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
    data: { ...hiddenOf(kind, shown), ...Object.fromEntries(names.map((name) => [name, shown[name]])) },
  };
}

async function readAll(dialtree: Client<'minimal'>, local: LocalSecrets | null): Promise<AccountRecords> {
  const lists: [RecordKind, unknown[]][] = [];
  for (const kind of RECORD_KINDS) {
    // In one read: a secret belongs to the members beside it, such as the digests of an agent to the intercom number.
    if (local && isPartial(kind)) lists.push([kind, await local.stored(kind)]);
    else {
      const records: unknown[] = [];
      const shownRecords = kind === 'agent' ? wholeAgents(dialtree) : listed(dialtree, kind);
      for await (const shown of shownRecords) records.push(recordOf(kind, shown));
      lists.push([kind, records]);
    }
  }
  // The cast holds: the API shows what is stored, under the same names (test/cli-archive.test.ts).
  return Object.fromEntries(lists) as unknown as AccountRecords;
}

/** A service elsewhere seals what it is sent. */
const UNSEALED: Pick<NewSecrets, 'open' | 'seal'> = {
  open: () => null,
  seal: (_kind, _id, secret) => secret,
};

/** `local` null: a service elsewhere has it. */
export function accountContent(dialtree: Client<'minimal'>, local: LocalSecrets | null): AccountContent {
  const { open, seal } = local ?? UNSEALED;
  const state: State = { known: byKind<Known>(() => new Map()), made: new Map(), sounds: new Map() };
  return {
    name: local?.name ?? 'of this token',
    isLocal: local !== null,
    openSecret: local && open,
    open,
    seal,
    async records() {
      const records = await readAll(dialtree, local);
      state.known = byKind<Known>((kind) => new Map(records[kind].map(({ id, data }) => [id, data])));
      return records;
    },
    settings: () => readSettings(dialtree),
    limits: async () => (await dialtree.getLimits()) as AccountLimits,
    newDigests(eid, intercom) {
      if (!local) return NO_DIGESTS;
      const { password, sip } = newPassword(intercom);
      state.made.set(`agent ${eid}`, password);
      return sip;
    },
    newWebhookSecret(name) {
      const secret = makeWebhookSecret();
      state.made.set(`webhook ${name}`, secret);
      return secret;
    },
    async sound({ id, sha256 }) {
      if (local) return local.sound(sha256);
      const answer = await dialtree.getRecordingAudio({ params: { id } }).catch((error: unknown) => {
        if (error instanceof DialtreeError && error.status === 404) return null;
        throw error;
      });
      return answer && Buffer.from(await answer.arrayBuffer());
    },
    async heldSounds(recordings) {
      const lost = await local?.lost(recordings.map(({ sha256 }) => sha256));
      const isHeld = (sound: Sound): boolean => (lost ? !lost.has(sound.sha256) : isStored(state, sound));
      return new Set(recordings.filter(isHeld).map(({ id }) => id));
    },
    async putSound(sound, wav) {
      if (local) await local.putSound(sound.sha256, wav);
      else if (!isStored(state, sound)) state.sounds.set(sound.id, wav);
    },
    changeSettings: async (changes) => {
      // Lists of the domain are read-only, those of the client are not.
      const body = structuredClone(changes) as SettingsPatch;
      await dialtree.patchSettings({ body, query: { skip_tests: 'true' } });
    },
    write: writing(dialtree, local, state),
  };
}

interface State {
  /** As they were read. */
  known: Known;
  /** Secrets of records that are not written yet. */
  readonly made: Map<string, string>;
  /** Sounds that are sent with their recordings. */
  readonly sounds: Map<string, Buffer>;
}
type Known = { readonly [K in RecordKind]: ReadonlyMap<string, RecordData[K]> };

const isStored = ({ known }: State, { id, sha256 }: Sound): boolean =>
  known.recording.get(id)?.sha256 === sha256;

const NO_DIGESTS = { realm: '', md5: '', sha256: '' };

async function readSettings(dialtree: Client<'minimal'>): Promise<Settings> {
  const shown = await dialtree.getSettings();
  // The API shows null for what is stored as an empty text.
  const { country, area_code, timezone } = shown;
  const texts = { country: country ?? '', area_code: area_code ?? '', timezone: timezone ?? '' };
  return { ...shown, ...texts } as Settings;
}

function writing(
  dialtree: Client<'minimal'>,
  local: LocalSecrets | null,
  state: State,
): AccountContent['write'] {
  /** Numbers that the service gave to new teams, by those of the plan. */
  const teamNumbers = new Map<number, number>();

  async function writeAgent(change: Extract<Change, { kind: 'agent' }>): Promise<NewSecret | null> {
    const { team_id: team } = change.data;
    const data = { ...change.data, team_id: teamNumbers.get(team ?? 0) ?? team };
    const { eid, intercom } = data;
    const sent = { ...change, data };
    if (local) await local.write(sent);
    const answer = local ? {} : await sendChange(dialtree, sent, state.known.agent.get(change.id));
    const password = state.made.get(`agent ${eid}`) ?? answer['sip_password'];
    return typeof password === 'string' ? { kind: 'agent', cells: [eid, intercom, password] } : null;
  }

  async function write(change: Exclude<Change, { kind: 'agent' }>): Promise<NewSecret | null> {
    const { kind, id, action } = change;
    if (local && isPartial(kind)) await local.write(change);
    else if (change.kind === 'recording') await writeSound(dialtree, change, state.sounds);
    else {
      const answer = await sendChange(dialtree, change, undefined);
      if (kind === 'team' && action === 'create') teamNumbers.set(Number(id), Number(answer['id']));
    }
    if (change.kind !== 'webhook') return null;
    const { name } = change.data;
    const secret = state.made.get(`webhook ${name}`);
    return secret === undefined ? null : { kind: 'webhook', cells: [name, secret] };
  }

  return async (change) => {
    try {
      return await (change.kind === 'agent' ? writeAgent(change) : write(change));
    } catch (error) {
      if (!(error instanceof DialtreeError)) throw error;
      const { title } = change;
      if (error.status === 412)
        throw new CommandError(`${title} was changed during the import. Run the import again.`);
      throw new CommandError(`${title} cannot be stored: ${error.message}`);
    }
  };
}

async function writeSound(
  dialtree: Client<'minimal'>,
  change: Extract<Change, { kind: 'recording' }>,
  sounds: State['sounds'],
): Promise<void> {
  const { id, title, data } = change;
  const sha256 = await sendRecording(dialtree, change, sounds.get(id));
  sounds.delete(id);
  if (sha256 !== data.sha256)
    remark(`warning: ${title}: the service converted its sound again, so it differs from the file.\n`);
}

// A file → what has to be written into an account to make it so. Everything is decided, and every fault found, before
// the first write.
import { AGENT_DEFAULTS, type Agent, type SipDigests } from '../agent.ts';
import type { RecordKind } from '../kinds.ts';
import { NUMBER_DEFAULTS, numberKeys } from '../number.ts';
import type { StoredRecord } from '../record.ts';
import { RECORDING_DEFAULTS } from '../recording.ts';
import { isId, referenceText, splitReference } from '../reference.ts';
import {
  type AccountRecords,
  type ExportFile,
  NAMED_KINDS,
  orderedAgent,
  orderedAnnouncement,
  orderedBox,
  orderedDepartment,
  orderedIvr,
  orderedTimeGroup,
  type RecordFault,
} from './export-file.ts';
import { type Matches, matchRecords, namesIn } from './match.ts';
import { mapReferences, type PlacedReference, placedReferences } from './reference.ts';

export interface Change {
  readonly action: 'create' | 'update' | 'same';
  readonly kind: RecordKind;
  readonly title: string;
  readonly id: string;
  /** The version that an update replaces. */
  readonly version: number | null;
  readonly data: object;
  readonly keys: readonly { readonly name: string; readonly value: string }[];
}

export interface ImportPlan {
  /** In the order in which they are written: what is pointed to comes before what points to it, numbers come last. */
  readonly changes: readonly Change[];
  readonly faults: readonly RecordFault[];
  readonly warnings: readonly RecordFault[];
}

/** What the plan needs to be told or given, since it reads no disk and draws no chance. */
export interface ImportWorld {
  newId(): string;
  newTeamNumber(name: string): number;
  newDigests(eid: string, intercom: string): SipDigests;
  hasSound(sha256: string): boolean;
  /** Whether a trunk of the account may dial this number. */
  mayDial(number: string): boolean;
  /** Whether a reference that leads nowhere is a fault (the account's setting). */
  readonly strictReferences: boolean;
}

export function planImport(exportFile: ExportFile, target: AccountRecords, world: ImportWorld): ImportPlan {
  const faults: RecordFault[] = [];
  const warnings: RecordFault[] = [];
  const matches = matchRecords(exportFile, target, world, faults);
  const changes: Change[] = [
    ...recordingChanges(exportFile, target, world, warnings),
    ...exportFile.teams.map(({ name }) => {
      const { id, stored } = matches.team(name);
      return change('team', `team "${name}"`, id, stored, { name }, [{ name: 'id', value: id }]);
    }),
  ];
  const sounds = new Set([...target.recording, ...changes.filter(isRecording)].map(({ id }) => id));
  const resolver = new Resolver(exportFile, target, matches, sounds, world.mayDial);
  const resolved = <T extends object>(record: T, title: string, at: string): T => {
    for (const unresolved of resolver.unresolved(record)) {
      const fault = { record: title, pointer: at + unresolved.pointer, message: unresolved.message };
      if (unresolved.impossible || world.strictReferences) faults.push(fault);
      else if (!unresolved.toldBefore) warnings.push(fault);
    }
    return mapReferences(record, (text) => resolver.toId(text));
  };

  for (const [index, box] of exportFile.voicemail_boxes.entries()) {
    const title = `voicemail box "${box.name}"`;
    const { id, stored } = matches.voicemail(box.name);
    const data = orderedBox(resolved(box, title, `/voicemail_boxes/${index}`));
    changes.push(change('voicemail', title, id, stored, data, []));
  }
  for (const [index, announcement] of exportFile.announcements.entries()) {
    const title = `announcement "${announcement.name}"`;
    const { id, stored } = matches.announcement(announcement.name);
    const data = orderedAnnouncement(resolved(announcement, title, `/announcements/${index}`));
    changes.push(change('announcement', title, id, stored, data, []));
  }
  for (const [index, group] of exportFile.timegroups.entries()) {
    const title = `time group "${group.name}"`;
    const { id, stored } = matches.timegroup(group.name);
    const data = orderedTimeGroup(resolved(group, title, `/timegroups/${index}`));
    changes.push(change('timegroup', title, id, stored, data, []));
  }
  for (const [index, agent] of exportFile.agents.entries()) {
    const title = `agent ${agent.eid} "${agent.name}"`;
    const { id, stored } = matches.agent(agent.eid);
    const data = agentData(resolved(agent, title, `/agents/${index}`), stored, matches, world);
    const keys = [
      { name: 'eid', value: data.eid },
      { name: 'intercom', value: data.intercom },
    ];
    changes.push(change('agent', title, id, stored, data, keys));
  }
  for (const [index, department] of exportFile.departments.entries()) {
    const title = `department "${department.name}"`;
    const { id, stored } = matches.department(department.name);
    const data = orderedDepartment(resolved(department, title, `/departments/${index}`));
    changes.push(change('department', title, id, stored, data, []));
  }
  for (const [index, ivr] of exportFile.ivrs.entries()) {
    const title = `ivr "${ivr.name}"`;
    const { id, stored } = matches.ivr(ivr.name);
    changes.push(change('ivr', title, id, stored, orderedIvr(resolved(ivr, title, `/ivrs/${index}`)), []));
  }
  for (const [index, number] of exportFile.numbers.entries()) {
    const title = `number ${number.number}`;
    const { id, stored } = matches.number(number.number);
    const { destination } = resolved(number, title, `/numbers/${index}`);
    const keys = numberKeys(number.number);
    changes.push(
      change(
        'number',
        title,
        id,
        stored,
        { ...NUMBER_DEFAULTS, ...stored?.data, number: number.number, destination },
        keys,
      ),
    );
  }
  return { changes, faults, warnings };
}

const isRecording = ({ kind }: Change): boolean => kind === 'recording';

function change(
  kind: RecordKind,
  title: string,
  id: string,
  stored: StoredRecord<object> | null,
  data: object,
  keys: Change['keys'],
): Change {
  const action = stored === null ? 'create' : alike(stored.data, data) ? 'same' : 'update';
  return { action, kind, title, id, version: stored?.version ?? null, data, keys };
}

/** Whether two records say the same; the order of members says nothing, except within tests, which are kept as sent. */
function alike(one: object, other: object): boolean {
  const text = (record: object): string =>
    JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

/** A recording is its sound: without the file there is nothing to play, and no record is made that says otherwise. */
function recordingChanges(
  exportFile: ExportFile,
  target: AccountRecords,
  world: ImportWorld,
  warnings: RecordFault[],
): Change[] {
  const known = new Map(target.recording.map((record) => [record.id, record]));
  return exportFile.recordings.flatMap(({ id, name, duration_ms, sha256 }, index) => {
    const title = `recording ${id}`;
    const stored = known.get(id) ?? null;
    // What is known of a sound beyond the file stays as long as the sound does.
    const facts = stored?.data.sha256 === sha256 ? stored.data : RECORDING_DEFAULTS;
    const planned = change('recording', title, id, stored, { ...facts, name, duration_ms, sha256 }, []);
    if (planned.action === 'same' || world.hasSound(sha256)) return [planned];
    const kept = planned.action === 'create' ? 'it is not created' : 'the account keeps the one it has';
    const message = `There is no file recordings/${sha256}.wav in the data folder: ${kept}.`;
    warnings.push({ record: title, pointer: `/recordings/${index}`, message });
    return [];
  });
}

/** What the account made stays; a new intercom number needs a new password, as everywhere. */
function agentData(
  { team, timegroup, ...agent }: ExportFile['agents'][number],
  stored: StoredRecord<Agent> | null,
  matches: Matches,
  world: ImportWorld,
): Agent {
  const { team: _, timegroup: __, ...fields } = orderedAgent({ ...agent, team, timegroup });
  const hours =
    timegroup === null
      ? (matches.strayTimeGroup(stored?.data.timegroup_id) ?? null)
      : matches.timegroup(timegroup).id;
  const keepsPassword = stored !== null && stored.data.intercom === agent.intercom;
  return {
    ...AGENT_DEFAULTS,
    ...fields,
    sip_sha256: stored?.data.sip_sha256 ?? AGENT_DEFAULTS.sip_sha256,
    timegroup_id: hours,
    team_id:
      team === null ? (matches.strayTeam(stored?.data.team_id) ?? null) : Number(matches.team(team).id),
    sip: keepsPassword ? stored.data.sip : world.newDigests(agent.eid, agent.intercom),
  };
}

interface Unresolved {
  readonly pointer: string;
  readonly message: string;
  /** Not even an id, so it cannot be stored. */
  readonly impossible: boolean;
  /** A recording of the file without its sound has its warning already. */
  readonly toldBefore: boolean;
}

/** Names → ids of the account: of the file's own records first, then of what the account has already. */
class Resolver {
  readonly #named: ReadonlyMap<string, string>;
  readonly #known: ReadonlySet<string>;
  /** Ids of the file's recordings. */
  readonly #inFile: ReadonlySet<string>;
  readonly #mayDial: (number: string) => boolean;

  constructor(
    exportFile: ExportFile,
    target: AccountRecords,
    matches: Matches,
    recordings: ReadonlySet<string>,
    mayDial: (number: string) => boolean,
  ) {
    this.#mayDial = mayDial;
    this.#named = new Map([
      ...NAMED_KINDS.flatMap((kind) =>
        target[kind].map(({ id, data }) => [referenceText(kind, data.name), id] as const),
      ),
      ...NAMED_KINDS.flatMap((kind) =>
        namesIn(exportFile, kind).map((name) => [referenceText(kind, name), matches[kind](name).id] as const),
      ),
    ]);
    this.#inFile = new Set(exportFile.recordings.map(({ id }) => id));
    this.#known = new Set([
      ...[...recordings].map((id) => referenceText('recording', id)),
      ...target.agent.map(({ data }) => referenceText('extension', data.eid)),
      ...exportFile.agents.map(({ eid }) => referenceText('extension', eid)),
      ...NAMED_KINDS.flatMap((kind) => target[kind].map(({ id }) => referenceText(kind, id))),
    ]);
  }

  toId(text: string): string {
    const id = this.#named.get(text);
    return id === undefined ? text : referenceText(splitReference(text).kind, id);
  }

  unresolved(record: object): Unresolved[] {
    return [...placedReferences(record), ...members(record)].flatMap(({ kind, id, pointer }) => {
      const text = referenceText(kind, id);
      if (kind === 'number') {
        if (this.#mayDial(id)) return [];
        const message = `${text} may not be dialled: no trunk of the account has a prefix for it.`;
        return [{ pointer, message, impossible: true, toldBefore: false }];
      }
      if (kind === 'hangup' || this.#named.has(text) || this.#known.has(text)) return [];
      const toldBefore = kind === 'recording' && this.#inFile.has(id);
      const message = toldBefore
        ? `The sound of ${text} is not here.`
        : `${text} is neither in the file nor in the account.`;
      return [{ pointer, message, impossible: !isId(id), toldBefore }];
    });
  }
}

/** The agents of a department, which it lists by eid alone. */
function members(record: object): PlacedReference[] {
  const agents: unknown = 'agents' in record ? record.agents : [];
  if (!Array.isArray(agents)) return [];
  return agents.map((eid, index) => ({ kind: 'extension', id: String(eid), pointer: `/agents/${index}` }));
}

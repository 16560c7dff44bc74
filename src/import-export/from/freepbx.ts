// FreePBX → our export format, from the tables of its database: extensions become agents, ring groups and queues departments, time
// conditions time groups, inbound routes numbers. Names are given first, so that everything may lead to everything.
import { type Converted, ForeignAccount, ForeignFileError } from './foreign-account.ts';
import { Destinations } from './freepbx-destinations.ts';
import { readHours } from './freepbx-hours.ts';
import { FreePbxMenus } from './freepbx-menus.ts';
import type { Row, Tables } from './sql-dump.ts';

export const FREEPBX_TABLES = [
  'users',
  'ivr_details',
  'ivr_entries',
  'ringgroups',
  'queues_config',
  'queues_details',
  'timeconditions',
  'timegroups_groups',
  'timegroups_details',
  'announcement',
  'recordings',
  'incoming',
] as const;
export type FreePbxTable = (typeof FREEPBX_TABLES)[number];

export interface FreePbxOptions {
  /** IANA; of time conditions that have none of their own. */
  readonly timezone: string | null;
}

/** The strategies of ring groups and queues; others ring as the last word says. */
const STRATEGIES: Readonly<Record<string, string>> = {
  ringall: 'simultaneous',
  'ringall-prim': 'simultaneous',
  hunt: 'in_order',
  'hunt-prim': 'in_order',
  firstavailable: 'in_order',
  firstnotonphone: 'in_order',
  linear: 'in_order',
  random: 'random',
  wrandom: 'random',
  leastrecent: 'longest_idle',
  rrmemory: 'round_robin',
  rrordered: 'round_robin',
};
const INTERCOM = /^[0-9]{2,10}$/;
const DIALLED = /^\+?[0-9*#]{1,32}$/;
const MEMBER = /^(?:Local|SIP|PJSIP|IAX2)\/([0-9]{2,10})(?:@|,|$)/;

export function fromFreePbx(tables: Tables, options: FreePbxOptions): Converted {
  const known = FREEPBX_TABLES.filter((name) => (tables.get(name)?.length ?? 0) > 0);
  if (known.length === 0)
    throw new ForeignFileError(
      `There is nothing of FreePBX in it: none of the tables ${FREEPBX_TABLES.join(', ')} has rows.`,
    );
  return new FreePbxImport(tables, options).converted();
}

export const cell = (row: Row, name: string): string => (row[name] ?? '').trim();

class FreePbxImport {
  readonly #tables: Tables;
  readonly #timezone: string | null;
  readonly #account = new ForeignAccount();
  /** Rows whose id no row before has. */
  readonly #own = new Map<FreePbxTable, readonly Row[]>();
  readonly #extensions = new Map<string, string>();
  readonly #boxes = new Map<string, string>();
  readonly #groups: ReadonlyMap<string, string>;
  readonly #queues: ReadonlyMap<string, string>;
  readonly #conditions: ReadonlyMap<string, string>;
  readonly #announcements: ReadonlyMap<string, string>;
  readonly #menus: FreePbxMenus;
  readonly #destinations: Destinations;

  constructor(tables: Tables, { timezone }: FreePbxOptions) {
    this.#tables = tables;
    this.#timezone = timezone;
    this.#takeExtensions();
    this.#groups = this.#named('department', 'ringgroups', 'grpnum', 'description', 'Ring group');
    this.#queues = this.#named('department', 'queues_config', 'extension', 'descr', 'Queue');
    this.#conditions = this.#named(
      'timegroup',
      'timeconditions',
      'timeconditions_id',
      'displayname',
      'Time condition',
    );
    this.#announcements = this.#named(
      'announcement',
      'announcement',
      'announcement_id',
      'description',
      'Announcement',
    );
    this.#menus = new FreePbxMenus(this.#account, {
      details: this.#rows('ivr_details'),
      entries: this.#rows('ivr_entries'),
      recordings: this.#rows('recordings'),
    });
    const as = (word: string, names: ReadonlyMap<string, string>) =>
      new Map([...names].map(([id, name]) => [id, `${word}||${name}`]));
    this.#destinations = new Destinations(this.#account, {
      extensions: as('extension', this.#extensions),
      voicemail: as('voicemail', this.#boxes),
      groups: as('department', this.#groups),
      queues: as('department', this.#queues),
      menus: this.#menus.references,
      conditions: as('timegroup', this.#conditions),
      announcements: as('announcement', this.#announcements),
    });
  }

  converted(): Converted {
    this.#addAgents();
    for (const row of this.#rows('ringgroups')) this.#addGroup(row);
    this.#addQueues();
    this.#addConditions();
    for (const row of this.#rows('announcement')) this.#addAnnouncement(row);
    this.#menus.add(this.#destinations);
    this.#addNumbers();
    return this.#account.converted();
  }

  #rows(table: FreePbxTable): readonly Row[] {
    return this.#own.get(table) ?? this.#tables.get(table) ?? [];
  }

  #named(
    kind: 'department' | 'timegroup' | 'announcement',
    table: FreePbxTable,
    key: string,
    title: string,
    noun: string,
  ): Map<string, string> {
    const names = new Map<string, string>();
    const own = this.#rows(table).filter((row) => {
      const id = cell(row, key);
      const isOwn = id !== '' && !names.has(id);
      if (isOwn) names.set(id, this.#account.nameFor(kind, cell(row, title) || `${noun} ${id}`));
      else this.#account.leave(`${noun} ${JSON.stringify(id.slice(0, 40))}`, 'it has no number of its own');
      return isOwn;
    });
    this.#own.set(table, own);
    return names;
  }

  #takeExtensions(): void {
    for (const row of this.#rows('users')) {
      const extension = cell(row, 'extension');
      if (!INTERCOM.test(extension) || this.#extensions.has(extension)) {
        this.#account.leave(`Extension "${extension}"`, 'extensions have 2 to 10 digits, each once');
        continue;
      }
      this.#extensions.set(extension, extension);
      const voicemail = cell(row, 'voicemail');
      if (voicemail !== '' && voicemail !== 'novm' && voicemail !== 'disabled')
        this.#boxes.set(
          extension,
          this.#account.nameFor('voicemail', `${cell(row, 'name') || extension} ${extension}`),
        );
    }
  }

  #addAgents(): void {
    const added = new Set<string>();
    for (const row of this.#rows('users')) {
      const extension = cell(row, 'extension');
      if (!this.#extensions.has(extension) || added.has(extension)) continue;
      added.add(extension);
      const box = this.#boxes.get(extension);
      const failover = cell(row, 'noanswer_dest');
      const otherwise = box === undefined ? null : `voicemail||${box}`;
      this.#account.add('agent', {
        eid: extension,
        name: (cell(row, 'name') || extension)
          .replace(/\p{Cc}/gu, ' ')
          .slice(0, 100)
          .toWellFormed(),
        intercom: extension,
        failover_destination:
          failover === '' ? otherwise : this.#destinations.of(failover, `Extension ${extension}`),
      });
      if (box !== undefined) this.#account.add('voicemail', { name: box });
    }
  }

  /** Those of them that are extensions; numbers elsewhere are reported. */
  #members(list: readonly string[], place: string): string[] {
    const unknown = list.filter((each) => !this.#extensions.has(each));
    if (unknown.length > 0)
      this.#account.leave(
        place,
        `members that are no extensions: ${unknown.slice(0, 20).join(', ').slice(0, 300)}`,
      );
    return [...new Set(list.filter((each) => this.#extensions.has(each)))];
  }

  #strategy(text: string, place: string): string {
    const strategy = STRATEGIES[text];
    if (strategy === undefined && text !== '')
      this.#account.leave(place, `the strategy "${text.slice(0, 40)}": all ring at once`);
    return strategy ?? 'simultaneous';
  }

  #addGroup(row: Row): void {
    const number = cell(row, 'grpnum');
    const name = this.#groups.get(number);
    if (name === undefined) return;
    const place = `Ring group ${number} "${name}"`;
    const list = cell(row, 'grplist')
      .split('-')
      .filter((each) => each !== '');
    this.#account.add('department', {
      name,
      agents: this.#members(list, place),
      strategy: this.#strategy(cell(row, 'strategy'), place),
      ring_seconds: seconds(cell(row, 'grptime'), 300),
      failover_destination: this.#destinations.of(cell(row, 'postdest'), place),
    });
    this.#sound(row, 'annmsg_id', place);
  }

  /** Said before it rings: departments have none. */
  #sound(row: Row, column: string, place: string): void {
    const id = cell(row, column);
    if (id !== '' && id !== '0')
      this.#account.leave(place, 'its announcement before the ringing: lead calls through an announcement');
  }

  #addQueues(): void {
    const details = new Map<string, { keyword: string; data: string }[]>();
    for (const row of this.#rows('queues_details')) {
      const id = cell(row, 'id');
      const list = details.get(id) ?? [];
      list.push({ keyword: cell(row, 'keyword'), data: cell(row, 'data') });
      details.set(id, list);
    }
    for (const row of this.#rows('queues_config')) {
      const number = cell(row, 'extension');
      const name = this.#queues.get(number);
      if (name === undefined) continue;
      const place = `Queue ${number} "${name}"`;
      const own = details.get(number) ?? [];
      const value = (keyword: string): string => own.find((each) => each.keyword === keyword)?.data ?? '';
      const members = own
        .filter(({ keyword }) => keyword === 'member')
        .map(({ data }) => MEMBER.exec(data)?.[1] ?? data);
      this.#account.add('department', {
        name,
        queue: true,
        agents: this.#members(members, place),
        strategy: this.#strategy(value('strategy'), place),
        ring_seconds: seconds(value('timeout'), 300),
        wrapup_seconds: Math.min(Number(seconds(value('wrapuptime'), 300) ?? 0), 300),
        max_wait_seconds: seconds(cell(row, 'maxwait'), 3600) ?? 0,
        max_waiting: Math.min(Number(seconds(value('maxlen'), 1000) ?? 0), 1000),
        join_when_empty: value('joinempty') !== 'no' && value('joinempty') !== 'strict',
        failover_destination: this.#destinations.of(cell(row, 'dest'), place),
      });
      this.#sound(row, 'joinannounce_id', place);
    }
  }

  #addConditions(): void {
    const lines = new Map<string, string[]>();
    for (const row of this.#rows('timegroups_details')) {
      const id = cell(row, 'timegroupid');
      const list = lines.get(id) ?? [];
      list.push(cell(row, 'time'));
      lines.set(id, list);
    }
    for (const row of this.#rows('timeconditions')) {
      const id = cell(row, 'timeconditions_id');
      const name = this.#conditions.get(id);
      if (name === undefined) continue;
      const place = `Time condition ${id} "${name}"`;
      const { weekly, exceptions, left } = readHours(lines.get(cell(row, 'time')) ?? []);
      for (const { line, reason } of left)
        this.#account.leave(place, `${JSON.stringify(line.slice(0, 100))}: ${reason}`);
      if (weekly.length + exceptions.length === 0)
        this.#account.leave(
          place,
          'it has no hours that could be taken over: it is closed until you set them',
        );
      this.#account.add('timegroup', {
        name,
        timezone: this.#zoneOf(row, place),
        weekly,
        exceptions,
        open_destination: this.#destinations.of(cell(row, 'truegoto'), place),
        closed_destination: this.#destinations.of(cell(row, 'falsegoto'), place),
      });
    }
  }

  #zoneOf(row: Row, place: string): string {
    const own = cell(row, 'timezone');
    if (own !== '' && own !== 'default') return own;
    if (this.#timezone === null)
      this.#account.leave(place, 'its time zone: UTC is set; say it with --timezone');
    return this.#timezone ?? 'UTC';
  }

  #addAnnouncement(row: Row): void {
    const id = cell(row, 'announcement_id');
    const name = this.#announcements.get(id);
    if (name === undefined) return;
    const place = `Announcement ${id} "${name}"`;
    this.#account.add('announcement', {
      name,
      recording: this.#menus.promptOf(cell(row, 'recording_id'), place),
      destination: this.#destinations.of(cell(row, 'post_dest'), place),
    });
  }

  #addNumbers(): void {
    const taken = new Set<string>();
    for (const row of this.#rows('incoming')) {
      const number = cell(row, 'extension').replace(/[\s()./-]/g, '');
      const caller = cell(row, 'cidnum');
      const place = `Inbound route "${cell(row, 'extension')}${caller === '' ? '' : ` / ${caller}`}"`;
      if (caller !== '') this.#account.leave(place, 'it is for one caller alone');
      else if (number === '')
        this.#account.leave(place, 'it is for every number: make one for each of yours');
      else if (!DIALLED.test(number)) this.#account.leave(place, 'it is a pattern, and no number');
      else if (taken.has(number)) this.#account.leave(place, 'the number has a route already');
      else {
        taken.add(number);
        const destination = this.#destinations.of(cell(row, 'destination'), place);
        this.#account.add('number', {
          number,
          destination,
          description: cell(row, 'description').slice(0, 1000).toWellFormed(),
        });
      }
    }
  }
}

/** Null if there is none, or not a number. */
function seconds(text: string, most: number): number | null {
  const value = Math.round(Number(text));
  return text === '' || !Number.isFinite(value) || value < 1 ? null : Math.min(value, most);
}

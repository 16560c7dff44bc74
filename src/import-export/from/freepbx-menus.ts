// IVRs of FreePBX: our menus have its model, so that nearly every field has a counterpart. Sounds are files of that machine, and not
// in its database.
import type { ForeignAccount } from './foreign-account.ts';
import type { Destinations } from './freepbx-destinations.ts';
import type { Row } from './sql-dump.ts';

interface IvrTables {
  readonly details: readonly Row[];
  readonly entries: readonly Row[];
  readonly recordings: readonly Row[];
}

const KEYS = /^[0-9*#]{1,6}$/;
const MAX_OPTIONS = 50;

const cell = (row: Row, name: string): string => (row[name] ?? '').trim();

export class FreePbxMenus {
  /** By the id of the IVR. One without choices is an announcement here. */
  readonly references: ReadonlyMap<string, string>;
  readonly #account: ForeignAccount;
  readonly #details: readonly Row[];
  readonly #entries = new Map<string, Row[]>();
  readonly #sounds = new Map<string, string>();

  constructor(account: ForeignAccount, { details, entries, recordings }: IvrTables) {
    this.#account = account;
    for (const row of entries) {
      const id = cell(row, 'ivr_id');
      const list = this.#entries.get(id) ?? [];
      list.push(row);
      this.#entries.set(id, list);
    }
    for (const row of recordings)
      this.#sounds.set(cell(row, 'id'), cell(row, 'filename') || cell(row, 'displayname'));
    const references = new Map<string, string>();
    this.#details = details.filter((row) => {
      const id = cell(row, 'id');
      if (id === '' || references.has(id)) {
        account.leave(`IVR "${id}"`, 'it has no id of its own');
        return false;
      }
      const kind = this.#optionsOf(id).length > 0 ? 'ivr' : 'announcement';
      references.set(id, `${kind}||${account.nameFor(kind, cell(row, 'name') || `IVR ${id}`)}`);
      return true;
    });
    this.references = references;
  }

  add(destinations: Destinations): void {
    for (const row of this.#details) this.#add(row, destinations);
  }

  promptOf(id: string, place: string): string {
    if (id === '' || id === '0')
      return this.#account.prompt('freepbx-none', place, 'it has none, and here one is needed');
    if (id === 'default')
      return this.#account.prompt('freepbx-default', place, 'as FreePBX says it when a choice is wrong');
    const file = this.#sounds.get(id)?.split('&')[0];
    if (file === undefined)
      return this.#account.prompt(`freepbx-${id}`, place, `of the system recording ${id}`);
    return this.#account.prompt(
      `freepbx-${file.split('/').at(-1) ?? id}`,
      place,
      `of the sound file ${JSON.stringify(file.slice(0, 200))}`,
    );
  }

  #optionsOf(id: string): readonly Row[] {
    const rows = (this.#entries.get(id) ?? []).filter((row) => KEYS.test(cell(row, 'selection')));
    return [...new Map(rows.map((row) => [cell(row, 'selection'), row])).values()];
  }

  #add(row: Row, destinations: Destinations): void {
    const id = cell(row, 'id');
    const [kind, name = ''] = (this.references.get(id) ?? '').split('||');
    const place = `IVR ${id} "${name}"`;
    const options = this.#optionsOf(id).slice(0, MAX_OPTIONS);
    this.#leave(id, row, place, options.length);
    const silence = destinations.of(cell(row, 'timeout_destination') || this.#special(id, 't'), place);
    const recording = this.promptOf(cell(row, 'announcement') || cell(row, 'announcement_id'), place);
    if (kind === 'announcement') {
      this.#account.leave(place, 'it has no choices: it is an announcement here');
      this.#account.add('announcement', { name, recording, destination: silence });
      return;
    }
    const sound = (column: string): string =>
      cell(row, column) === '' ? recording : this.promptOf(cell(row, column), place);
    this.#account.add('ivr', {
      name,
      description: cell(row, 'description').slice(0, 1000).toWellFormed(),
      recording,
      timeout: count(cell(row, 'timeout_time'), 600, 10),
      option: options.map((option) => cell(option, 'selection')),
      destination: options.map((option) =>
        destinations.of(cell(option, 'dest'), `${place}, key ${cell(option, 'selection')}`),
      ),
      incorrect_count: count(cell(row, 'invalid_loops'), 20, 0),
      invalid_recording: sound('invalid_retry_recording'),
      recording_invalid: cell(row, 'invalid_recording') === '' ? null : sound('invalid_recording'),
      invalid_destination: destinations.of(cell(row, 'invalid_destination') || this.#special(id, 'i'), place),
      timeout_retry_recording: sound('timeout_retry_recording'),
      timeout_recording: sound('timeout_recording'),
      timeout_destination: silence,
      timeout_tries: count(cell(row, 'timeout_loops'), 20, 0),
    });
  }

  /** Older versions have `t` and `i` among the keys. */
  #special(id: string, key: 't' | 'i'): string {
    const found = (this.#entries.get(id) ?? []).find((row) => cell(row, 'selection') === key);
    return found ? cell(found, 'dest') : '';
  }

  #leave(id: string, row: Row, place: string, taken: number): void {
    const direct = cell(row, 'directdial');
    if (direct !== '' && direct !== 'Disabled' && direct !== '0')
      this.#account.leave(place, 'dialling extensions from within the menu: give them keys of their own');
    for (const entry of this.#entries.get(id) ?? []) {
      const key = cell(entry, 'selection');
      if (!KEYS.test(key) && key !== 't' && key !== 'i')
        this.#account.leave(
          `${place}, key ${JSON.stringify(key.slice(0, 20))}`,
          'a key is 1 to 6 of 0-9, * and #',
        );
      if (cell(entry, 'ivr_ret') === '1')
        this.#account.leave(`${place}, key ${key}`, 'the way back to the menu');
    }
    const more = this.#optionsOf(id).length - taken;
    if (more > 0) this.#account.leave(place, `${more} of its keys: a menu has at most ${MAX_OPTIONS}`);
  }
}

/** `disabled` counts as none. */
function count(text: string, most: number, otherwise: number): number {
  const value = Math.round(Number(text));
  return text === '' || !Number.isFinite(value) || value < 0 ? otherwise : Math.min(value, most);
}

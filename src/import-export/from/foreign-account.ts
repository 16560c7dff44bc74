// An account of another system on its way into our export format: records under names that the format takes, and what was left out.
import { KINDS } from '../../kinds/lists.ts';
import { EXPORT_VERSION } from '../export-file.ts';
import { CopyNumbers } from './copy-numbers.ts';

/** Something that could not be taken over: where it stands in what was read, what it is, and why. */
export interface LeftOut {
  readonly place: string;
  readonly reason: string;
}

export interface Converted {
  /** As a file of `dialtree export`, to be read by readExportFile(). */
  readonly file: { readonly [member: string]: unknown };
  readonly left: readonly LeftOut[];
}

/** What was read is not what it should be: nothing of it is taken. */
export class ForeignFileError extends Error {}

type Members = { readonly [name: string]: unknown };
export type NamedKind =
  | 'ivr'
  | 'department'
  | 'timegroup'
  | 'announcement'
  | 'voicemail'
  | 'collect'
  | 'request'
  | 'switch'
  | 'message'
  | 'sip_address'
  | 'sms_template';
type AddedKind = NamedKind | 'agent' | 'number';

const MAX_NAME = 100;
/** Letters that the number of a copy may take of a name. */
const END = 10;
/** Lines of a report; a file with more is not read by a person line by line. */
const MAX_LEFT = 5_000;

export const HANGUP = 'hangup||now';

export class ForeignAccount {
  readonly #lists = new Map<AddedKind, Members[]>();
  readonly #names = new Map<NamedKind, Set<string>>();
  readonly #copies = new CopyNumbers();
  readonly #prompts = new Set<string>();
  readonly #left: LeftOut[] = [];
  #more = 0;

  add(kind: AddedKind, record: Members): void {
    const list = this.#lists.get(kind) ?? [];
    list.push(record);
    this.#lists.set(kind, list);
  }

  /** A name of its own within the kind, in the form that names have. */
  nameFor(kind: NamedKind, wanted: string): string {
    const taken = this.#names.get(kind) ?? new Set<string>();
    this.#names.set(kind, taken);
    const plain =
      wanted
        .replace(/[\p{Cc}|]+/gu, ' ')
        .trim()
        .toWellFormed() || 'Unnamed';
    const letters = [...plain].slice(0, MAX_NAME);
    return this.#copies.free(`${kind} ${letters.slice(0, MAX_NAME - END).join('')}`, taken, (copy) => {
      const end = copy === 1 ? '' : ` (${copy})`;
      return (
        letters
          .slice(0, MAX_NAME - end.length)
          .join('')
          .trim() + end
      );
    });
  }

  leave(place: string, reason: string): void {
    if (this.#left.length < MAX_LEFT) this.#left.push({ place, reason });
    else this.#more += 1;
  }

  /** A sound that the other system does not give: calls hear a tone until a recording has this id. */
  prompt(id: string, place: string, how: string): string {
    const plain = id.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 64) || 'prompt';
    if (!this.#prompts.has(plain)) {
      this.#prompts.add(plain);
      this.leave(place, `the sound: make the recording "${plain}" ${how}`);
    }
    return `recording||${plain}`;
  }

  converted(): Converted {
    const lists = [...this.#lists].map(([kind, list]) => [KINDS[kind].exported, list]);
    const more = { place: '', reason: `and ${this.#more} more` };
    return {
      file: { dialtree: EXPORT_VERSION, ivrs: [], ...Object.fromEntries(lists) },
      left: this.#more > 0 ? [...this.#left, more] : this.#left,
    };
  }
}

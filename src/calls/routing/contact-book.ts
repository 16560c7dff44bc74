// The contacts of an account by their numbers. Asked once or twice for each call that comes in: it costs what Numbering.key() does,
// and nothing in an account without contacts.

import { Numbering } from '../../domain/numbering.ts';
import type { Contact } from '../../kinds/contact.ts';
import type { StoredRecord } from '../../kinds/record.ts';

type Contacts = readonly StoredRecord<Contact>[];

const shownName = ({ name, company }: Contact): string => (company === '' ? name : `${name} (${company})`);

/** Contacts that are looked at before other work has its turn. */
const AT_ONCE = 1_000;

export class ContactBook {
  static readonly EMPTY = new ContactBook();
  readonly #numbering: Numbering;
  #contacts: Contacts = [];
  readonly #byId = new Map<string, StoredRecord<Contact>>();
  readonly #byNumber = new Map<string, StoredRecord<Contact> | Shared>();

  private constructor(numbering = Numbering.NONE) {
    this.#numbering = numbering;
  }

  /** `before` with the contacts as they are now, changed in place; another book where there are none, or numbers are read otherwise. */
  static async of(
    contacts: Contacts,
    numbering: Numbering,
    before = ContactBook.EMPTY,
  ): Promise<ContactBook> {
    if (contacts === before.#contacts && before.#numbering.isSameAs(numbering)) return before;
    if (contacts.length === 0) return ContactBook.EMPTY;
    const isKept = before !== ContactBook.EMPTY && before.#numbering.isSameAs(numbering);
    const book = isKept ? before : new ContactBook(numbering);
    await book.#become(contacts);
    return book;
  }

  get isEmpty(): boolean {
    return this.#byNumber.size === 0;
  }

  /** The contact with the number; undefined: none, or the network says that the number is not the caller's. */
  find(caller: string | null, verstat: 'passed' | 'failed' | 'none' | null = null): Contact | undefined {
    if (this.isEmpty || caller === null || verstat === 'failed') return undefined;
    const found = this.#byNumber.get(this.#numbering.key(caller));
    return found instanceof Shared ? found.shown.data : found?.data;
  }

  /** What is shown as the name of who has the number; empty: no contact has it. */
  nameOf(number: string | null, verstat: 'passed' | 'failed' | 'none' | null = null): string {
    const contact = this.find(number, verstat);
    return contact ? shownName(contact) : '';
  }

  /** How a phone of the account shows a number that it is to be connected with. */
  shown(number: string): { readonly caller: string; readonly callerName: string; readonly isContact: true } {
    return { caller: number, callerName: this.nameOf(number), isContact: true };
  }

  /** Only the numbers of contacts that differ are looked at. */
  async #become(contacts: Contacts): Promise<void> {
    const gone = new Map(this.#byId);
    let looked = 0;
    const next = async (): Promise<void> => {
      looked += 1;
      if (looked % AT_ONCE === 0) await new Promise(setImmediate);
    };
    for (const contact of contacts) {
      const former = gone.get(contact.id);
      gone.delete(contact.id);
      if (former !== contact) {
        if (former) this.#remove(former);
        this.#add(contact);
      }
      await next();
    }
    for (const contact of gone.values()) {
      this.#remove(contact);
      await next();
    }
    this.#contacts = contacts;
  }

  #add(contact: StoredRecord<Contact>): void {
    this.#byId.set(contact.id, contact);
    for (const key of this.#keysOf(contact)) {
      const other = this.#byNumber.get(key);
      if (other instanceof Shared) other.add(contact);
      else this.#byNumber.set(key, other ? new Shared(other, contact) : contact);
    }
  }

  #remove(contact: StoredRecord<Contact>): void {
    this.#byId.delete(contact.id);
    for (const key of this.#keysOf(contact)) {
      const holder = this.#byNumber.get(key);
      if (!(holder instanceof Shared) || holder.isEmptyWithout(contact)) this.#byNumber.delete(key);
    }
  }

  #keysOf({ data }: StoredRecord<Contact>): ReadonlySet<string> {
    return new Set(data.numbers.map((number) => this.#numbering.key(number)));
  }
}

/** The contacts that share a number. Which is shown is looked for once after a change: all of an account may share one. */
class Shared {
  readonly #all: Set<StoredRecord<Contact>>;
  #shown: StoredRecord<Contact> | null = null;

  constructor(...contacts: StoredRecord<Contact>[]) {
    this.#all = new Set(contacts);
  }

  get shown(): StoredRecord<Contact> {
    this.#shown ??= [...this.#all].reduce((one, other) => (byPriority(one, other) <= 0 ? one : other));
    return this.#shown;
  }

  add(contact: StoredRecord<Contact>): void {
    this.#all.add(contact);
    this.#shown = null;
  }

  isEmptyWithout(contact: StoredRecord<Contact>): boolean {
    this.#all.delete(contact);
    this.#shown = null;
    return this.#all.size === 0;
  }
}

/** Contacts may share a number: the one with the highest priority is shown. If several have it, the oldest. */
function byPriority(one: StoredRecord<Contact>, other: StoredRecord<Contact>): number {
  const byAge = one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1);
  return other.data.priority - one.data.priority || byAge;
}

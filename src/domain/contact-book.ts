// The contacts of an account by their numbers. Asked once or twice for each call that comes in: it costs what Numbering.key() does,
// and nothing in an account without contacts.
import type { Contact } from '../kinds/contact.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { Numbering } from './numbering.ts';

type Contacts = readonly StoredRecord<Contact>[];
type Keys = WeakMap<StoredRecord<Contact>, readonly string[]>;

export class ContactBook {
  static readonly EMPTY = new ContactBook([]);
  readonly #contacts: Contacts;
  readonly #numbering: Numbering;
  readonly #byNumber = new Map<string, Contact>();
  /** The keys of the numbers of each contact: a change of one contact looks at the numbers of no other. */
  readonly #keys: Keys;

  constructor(contacts: Contacts, numbering = Numbering.NONE, keys: Keys = new WeakMap()) {
    this.#contacts = contacts;
    this.#numbering = numbering;
    this.#keys = keys;
    for (const contact of contacts.toSorted(byPriority))
      for (const key of this.#keysOf(contact))
        if (!this.#byNumber.has(key)) this.#byNumber.set(key, contact.data);
  }

  /** The same book where nothing that it is made from has changed. */
  with(contacts: Contacts, numbering: Numbering): ContactBook {
    if (contacts.length + this.#contacts.length === 0) return this;
    const isAlike = this.#numbering.isSameAs(numbering);
    if (isAlike && contacts === this.#contacts) return this;
    return new ContactBook(contacts, numbering, isAlike ? this.#keys : undefined);
  }

  /** The contact with the number; undefined: none, or the network says that the number is not the caller's. */
  find(caller: string | null, verstat: 'passed' | 'failed' | 'none' | null = null): Contact | undefined {
    if (this.#byNumber.size === 0 || caller === null || verstat === 'failed') return undefined;
    return this.#byNumber.get(this.#numbering.key(caller));
  }

  #keysOf(contact: StoredRecord<Contact>): readonly string[] {
    const known = this.#keys.get(contact);
    if (known) return known;
    const keys = contact.data.numbers.map((number) => this.#numbering.key(number));
    this.#keys.set(contact, keys);
    return keys;
  }
}

/** Contacts may share a number: the one with the highest priority is shown, of equal ones the older. */
function byPriority(one: StoredRecord<Contact>, other: StoredRecord<Contact>): number {
  return other.data.priority - one.data.priority || (one.id < other.id ? -1 : 1);
}

/** What is shown as the name of a caller. */
export const shownName = ({ name, company }: Contact): string =>
  company === '' ? name : `${name} (${company})`;

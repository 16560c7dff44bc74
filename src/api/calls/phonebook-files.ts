// Phonebooks in the forms of three makers. Names are texts that people chose: each is escaped.
import { document, type PhoneFile, plain, xml } from './phone-files.ts';

export interface PhonebookEntry {
  readonly name: string;
  readonly company: string;
  readonly numbers: readonly string[];
}

const listed = (entries: readonly PhonebookEntry[], line: (entry: PhonebookEntry) => string): string =>
  entries.map((entry) => `  ${line(entry)}\n`).join('');

const named = ({ name, company }: PhonebookEntry): string =>
  xml(company === '' ? plain(name) : `${plain(name).slice(0, 30)} (${plain(company).slice(0, 27)})`);

/** Yealink's Remote Phone Book: up to three numbers for each entry are shown by every model. */
function yealink(entries: readonly PhonebookEntry[]): PhoneFile {
  const numbers = (entry: PhonebookEntry): string =>
    entry.numbers
      .slice(0, 3)
      .map((number) => `<Telephone>${xml(number)}</Telephone>`)
      .join('');
  const lines = listed(
    entries,
    (entry) => `<DirectoryEntry><Name>${named(entry)}</Name>${numbers(entry)}</DirectoryEntry>`,
  );
  return document(`<YealinkIPPhoneDirectory>\n${lines}</YealinkIPPhoneDirectory>\n`);
}

/** Snom's wiki, "Remote XML Directory": firmware from 10.1.178 on fetches it. Without `complete`, which deletes what people added at the phone. */
function snom(entries: readonly PhonebookEntry[]): PhoneFile {
  const numbers = (entry: PhonebookEntry): string =>
    entry.numbers.map((number) => `<number no="${xml(number)}" type="business" outgoing_id="0"/>`).join('');
  const lines = listed(
    entries,
    (entry) =>
      `<contact fav="false" vip="false" blocked="false"><first_name></first_name><last_name>${xml(plain(entry.name))}</last_name>` +
      `<organization>${xml(plain(entry.company))}</organization><numbers>${numbers(entry)}</numbers></contact>`,
  );
  return document(`<tbook e="2" version="2.0">\n${lines}</tbook>\n`);
}

/** Grandstream's XML Phonebook Guide: the phone adds `phonebook.xml` to the path that it is given. */
function grandstream(entries: readonly PhonebookEntry[]): PhoneFile {
  const numbers = (entry: PhonebookEntry): string =>
    entry.numbers
      .map(
        (number) => `<Phone><phonenumber>${xml(number)}</phonenumber><accountindex>0</accountindex></Phone>`,
      )
      .join('');
  const lines = listed(
    entries,
    (entry) =>
      `<Contact><LastName>${named(entry)}</LastName><FirstName></FirstName>${numbers(entry)}</Contact>`,
  );
  return document(`<AddressBook>\n${lines}</AddressBook>\n`);
}

/** By the name of the file that the phone asks for. */
const FILES: ReadonlyMap<string, (entries: readonly PhonebookEntry[]) => PhoneFile> = new Map([
  ['yealink.xml', yealink],
  ['snom.xml', snom],
  ['phonebook.xml', grandstream],
]);

/** Undefined if there is no such file. */
export const phonebookFile = (name: string) => FILES.get(name.toLowerCase());

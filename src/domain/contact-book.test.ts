import { describe, expect, it } from 'vitest';
import type { Contact } from '../kinds/contact.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { ContactBook, shownName } from './contact-book.ts';
import { Numbering } from './numbering.ts';

const BERLIN = new Numbering({ country: 'DE', area_code: '30' });

function contact(id: string, numbers: readonly string[], more: Partial<Contact> = {}): StoredRecord<Contact> {
  const data = { name: id, company: '', numbers, email: null, notes: '', priority: 0, ...more };
  return { id, version: 1, createdAtMs: 0, updatedAtMs: 0, data };
}

describe('the contacts of an account', () => {
  it('are found by their numbers in any form', () => {
    const book = new ContactBook([contact('mira', ['030 5550170', '+46701234567'])], BERLIN);
    const found = ['+49305550170', '00493055 50170', '5550170', '+46701234567', '0046701234567'];
    expect(found.map((number) => book.find(number)?.name)).toEqual(found.map(() => 'mira'));
    expect(['+49405550170', 'mira', '', null].map((number) => book.find(number))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that share a number: the one with the highest priority, of equal ones the older', () => {
    const shared = ['+46701234567'];
    const book = new ContactBook(
      [contact('c3', shared, { priority: 1 }), contact('c2', shared, { priority: 1 }), contact('c1', shared)],
      BERLIN,
    );
    expect(book.find('+46701234567')?.name).toBe('c2');
  });

  it('give no name to a number that the network says is not the caller’s', () => {
    const book = new ContactBook([contact('mira', ['+46701234567'])]);
    const found = (['passed', 'none', null, 'failed'] as const).map((verstat) =>
      book.find('+46701234567', verstat),
    );
    expect(found.map((one) => one?.name)).toEqual(['mira', 'mira', 'mira', undefined]);
  });

  it('stay one book until a contact or the country changes', () => {
    const contacts = [contact('mira', ['0301234567'])];
    const book = ContactBook.EMPTY.with(contacts, BERLIN);
    expect(book.with(contacts, new Numbering({ country: 'DE', area_code: '030' }))).toBe(book);
    const moved = book.with(contacts, new Numbering({ country: 'AT', area_code: '' }));
    expect([book.find('+49301234567')?.name, moved.find('+49301234567')]).toEqual(['mira', undefined]);
    expect(moved.find('+43301234567')?.name).toBe('mira');
    expect(ContactBook.EMPTY.with([], BERLIN)).toBe(ContactBook.EMPTY);
    const renamed = book.with([contact('mina', ['0301234567'])], BERLIN);
    expect(renamed.find('0301234567')?.name).toBe('mina');
  });

  it('are shown with their company', () => {
    const { data } = contact('Mira Lindqvist', [], { company: 'Lindqvist Marine' });
    expect([shownName(data), shownName({ ...data, company: '' })]).toEqual([
      'Mira Lindqvist (Lindqvist Marine)',
      'Mira Lindqvist',
    ]);
  });
});

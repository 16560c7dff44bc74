import { describe, expect, it } from 'vitest';
import { Numbering } from '../../domain/numbering.ts';
import type { Contact } from '../../kinds/contact.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import { ContactBook } from './contact-book.ts';

const BERLIN = new Numbering({ country: 'DE', area_code: '30' });

function contact(id: string, numbers: readonly string[], more: Partial<Contact> = {}): StoredRecord<Contact> {
  const data = { name: id, company: '', numbers, email: null, notes: '', priority: 0, ...more };
  return { id, version: 1, createdAtMs: 0, updatedAtMs: 0, data };
}

describe('the contacts of an account', () => {
  it('are found by their numbers in any form', async () => {
    const book = await ContactBook.of([contact('mira', ['030 5550170', '+46701234567'])], BERLIN);
    const found = ['+49305550170', '00493055 50170', '5550170', '+46701234567', '0046701234567'];
    expect(found.map((number) => book.find(number)?.name)).toEqual(found.map(() => 'mira'));
    expect(['+49405550170', 'mira', '', null].map((number) => book.find(number))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that share a number: the one with the highest priority, of equal ones the oldest, also after changes', async () => {
    const shared = ['+46701234567'];
    const [c1, c2, c3] = [
      contact('c1', shared),
      { ...contact('c2', shared, { priority: 1 }), createdAtMs: 2 },
      { ...contact('c3', shared, { priority: 1 }), createdAtMs: 1 },
    ];
    const shown = async (contacts: readonly StoredRecord<Contact>[], before?: ContactBook) => {
      const book = await ContactBook.of(contacts, BERLIN, before);
      return [book.find('+46701234567')?.name, book] as const;
    };
    const [first, book] = await shown([c1, c2, c3]);
    const [second] = await shown([c1, c2], book);
    const [third] = await shown([c1], book);
    const [fourth] = await shown([c1, c3], book);
    expect([first, second, third, fourth]).toEqual(['c3', 'c2', 'c1', 'c3']);
  });

  it('give no name to a number that the network says is not the caller’s', async () => {
    const book = await ContactBook.of([contact('mira', ['+46701234567'])], BERLIN);
    const found = (['passed', 'none', null, 'failed'] as const).map((verstat) =>
      book.find('+46701234567', verstat),
    );
    expect(found.map((one) => one?.name)).toEqual(['mira', 'mira', 'mira', undefined]);
  });

  it('follow every change of contacts and of the country, and are read again only when something differs', async () => {
    const contacts = [contact('mira', ['0301234567']), contact('ann', ['+15550100'])];
    const book = await ContactBook.of(contacts, BERLIN);
    expect(await ContactBook.of(contacts, new Numbering({ country: 'DE', area_code: '030' }), book)).toBe(
      book,
    );
    const moved = await ContactBook.of(contacts, new Numbering({ country: 'AT', area_code: '' }), book);
    expect([book.find('+49301234567')?.name, moved.find('+49301234567')]).toEqual(['mira', undefined]);
    expect(moved.find('+43301234567')?.name).toBe('mira');
    const changed = await ContactBook.of([contact('mira', ['0309999999'])], BERLIN, book);
    expect(['0301234567', '0309999999', '+15550100'].map((number) => changed.find(number)?.name)).toEqual([
      undefined,
      'mira',
      undefined,
    ]);
    expect(await ContactBook.of([], BERLIN, changed)).toBe(ContactBook.EMPTY);
    expect(ContactBook.EMPTY.isEmpty).toBe(true);
  });

  it('give other work its turn, and a number that all of them share costs no more for it', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => contact(`c${index}`, ['+15550100']));
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const book = await ContactBook.of(many, BERLIN);
    isDone = true;
    expect(turns).toBeGreaterThan(5);
    expect(book.find('+15550100')?.name).toBe('c0');
  });

  it('are shown with their company', async () => {
    const contacts = [contact('Mira', ['+1'], { company: 'Lindqvist Marine' }), contact('Ann', ['+2'])];
    const book = await ContactBook.of(contacts, BERLIN);
    expect(['+1', '+2', '+3', null].map((number) => book.nameOf(number))).toEqual([
      'Mira (Lindqvist Marine)',
      'Ann',
      '',
      '',
    ]);
  });
});

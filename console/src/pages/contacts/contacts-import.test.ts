import { describe, expect, it } from 'vitest';
import { readCsv } from '../../kit/csv.ts';
import { planOf } from './contacts-import.ts';

function planned(text: string, known: Parameters<typeof planOf>[1] = []) {
  const result = readCsv(text);
  if ('fault' in result) throw new Error(result.fault.code);
  return planOf(result.rows, known);
}

describe('contacts from a CSV file', () => {
  it('have the columns of our own sample', () => {
    expect(
      planned(
        'name,company,numbers,email,notes,priority\nMira,Lindqvist Marine,"08-12 34; +46 70 1",m@x.example,VIP,10\n',
      ),
    ).toEqual([
      {
        line: 2,
        state: 'new',
        fault: null,
        body: {
          name: 'Mira',
          company: 'Lindqvist Marine',
          numbers: ['08-12 34', '+46 70 1'],
          email: 'm@x.example',
          notes: 'VIP',
          priority: '10',
        },
      },
    ]);
  });

  it('are read as Google and Outlook export them', () => {
    const google =
      'First Name,Last Name,Organization Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\nMira,Lindqvist,Marine,Work,a@x.example ::: b@x.example,Mobile,+46 70 1 ::: +46 70 2,08 12\n';
    const outlook =
      'Given Name;Surname;Company;Business Phone;Business Fax;Mobile Phone;E-mail Address;E-mail Display Name\nTobias;Brandt;;040 1;040 2;+49 170 1;t@x.example;Tobias (t)\n';
    expect(planned(google)?.[0]?.body).toEqual({
      name: 'Mira Lindqvist',
      company: 'Marine',
      numbers: ['+46 70 1', '+46 70 2', '08 12'],
      email: 'a@x.example',
      notes: '',
    });
    expect(planned(outlook)?.[0]?.body).toEqual({
      name: 'Tobias Brandt',
      company: '',
      numbers: ['040 1', '+49 170 1'],
      email: 't@x.example',
      notes: '',
    });
  });

  it('that are there already, or twice in the file, are created once', () => {
    const plan = planned('name,company,phone\nMira,Marine,1\nmira,MARINE,2\nTobias,,3\n', [
      { name: 'Tobias', company: '' },
    ]);
    expect(plan?.map(({ state }) => state)).toEqual(['new', 'there', 'there']);
  });

  it('name what is wrong with a line, and a company without a person is a contact', () => {
    const plan = planned('name,company,phone\n,,1\nMira,,\nMira,,call me\n,Marine,12\n');
    expect(plan?.map(({ fault, body }) => [fault, body.name])).toEqual([
      ['name-missing', ''],
      ['numbers-missing', 'Mira'],
      ['number-malformed', 'Mira'],
      [null, 'Marine'],
    ]);
    expect(planned('phone,mail\n1,a@x.example\n')).toBeNull();
  });
});

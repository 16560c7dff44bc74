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

  it('take no number from columns that have none: names as they sound, ids, faxes, an assistant', () => {
    const google =
      'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Last Name,Nickname,File As,Organization Name,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Street';
    const outlook =
      "First Name,Middle Name,Last Name,Company,Business Street,Mailing Street,Assistant's Phone,Business Fax,Business Phone,Business Phone 2,Callback,Car Phone,Company Main Phone,Home Fax,Home Phone,ISDN,Mobile Phone,Other Phone,Pager,Primary Phone,Radio Phone,TTY/TDD Phone,Telex,Account,Customer ID,Employee Number,Government ID Number,Organizational ID Number,E-mail Address,E-mail Type,Notes";
    const filled = (header: string) => `${header}\n${header.replaceAll(/[^,]+/g, (name) => name)}\n`;
    expect(planned(filled(google))?.[0]?.body).toMatchObject({
      name: 'First Name Middle Name Last Name',
      numbers: ['Phone 1 - Value'],
      email: 'E-mail',
    });
    expect(planned(filled(outlook))?.[0]?.body).toMatchObject({
      numbers: [
        'Business Phone',
        'Business Phone 2',
        'Car Phone',
        'Company Main Phone',
        'Home Phone',
        'Mobile Phone',
        'Other Phone',
        'Primary Phone',
      ],
      email: 'E-mail',
      notes: 'Notes',
    });
  });

  it('that are there already stay, and several lines of one person are one contact', () => {
    const plan = planned('name,company,phone,notes\nMira,Marine,1,a\nTobias,,3,\nmira,MARINE,2,b\n', [
      { name: 'Tobias', company: '' },
    ]);
    expect(plan?.map(({ line, state, body }) => [line, state, body.numbers, body.notes])).toEqual([
      [2, 'new', ['1', '2'], 'a\nb'],
      [3, 'there', ['3'], ''],
    ]);
  });

  it('name what is wrong with a line, and a company without a person is a contact', () => {
    const many = Array.from({ length: 11 }, (_, index) => index + 100).join(';');
    const plan = planned(
      `name,company,phone\n,,1\nMira,,\nAnn,,call me\n,Marine,040/12.34\nBob,,"${many}"\n`,
    );
    expect(plan?.map(({ line, fault, body }) => [line, fault, body.name])).toEqual([
      [2, 'name-missing', ''],
      [3, 'numbers-missing', 'Mira'],
      [4, 'number-malformed', 'Ann'],
      [5, null, 'Marine'],
      [6, 'numbers-many', 'Bob'],
    ]);
    expect(planned('phone,mail\n1,a@x.example\n')).toBeNull();
  });
});

import { expect, it } from 'vitest';
import { say } from '../../words/catalogue.ts';
import { en } from '../../words/en.ts';
import { hi } from '../../words/hi.ts';
import type { Words } from '../../words/words.tsx';
import { memberLabel, memberValue } from './members.ts';

const saying =
  (language: 'en' | 'hi'): Words['t'] =>
  (key, values = {}) =>
    say((language === 'en' ? en : hi)[key], values, language);
const naming = {
  t: saying('en'),
  dateTime: (at: string | number | Date) => `at ${String(at)}`,
  nameOf: (reference: string) => `<${reference}>`,
};

it('members are called as in the forms, in both languages', () => {
  expect(memberLabel('department', 'ring_seconds', saying('en'))).toBe(en['departments.ring']);
  expect(memberLabel('department', 'ring_seconds', saying('hi'))).toBe(hi['departments.ring']);
  expect(memberLabel('timegroup', 'closed_until', saying('en'))).toBe('Closed until');
  // A member of a newer service has no label here.
  expect(memberLabel('room', 'new_member', saying('en'))).toBe('new member');
});

it('values are names and the choices of the forms, never ids or JSON', () => {
  const value = (kind: string, member: string, given: unknown) => memberValue(kind, member, given, naming);
  expect(value('department', 'agents', ['100001', '100002'])).toBe(
    '<extension||100001>, <extension||100002>',
  );
  expect(value('department', 'agent_levels', { '100001': 2 })).toBe('<extension||100001>: level 2');
  expect(value('department', 'strategy', 'round_robin')).toBe('In turn');
  expect(value('announcement', 'recording', 'recording||welcome')).toBe('<recording||welcome>');
  expect(value('room', 'announce', true)).toBe('By a tone');
  expect(value('room', 'record', true)).toBe('yes');
  expect(value('timegroup', 'weekly', [{ days: ['mon', 'sun'], from: '09:00', to: '17:00' }])).toBe(
    'Monday, Sunday 09:00–17:00',
  );
  const exceptions = [{ name: 'New Year', from: '01-01', to: '01-01', hours: [] }];
  expect(value('timegroup', 'exceptions', exceptions)).toBe('New Year (01-01)');
  // Other hours on that day are another value.
  const half = [{ name: 'Eve', from: '12-31', to: '12-31', hours: [{ from: '09:00', to: '12:00' }] }];
  expect(value('timegroup', 'exceptions', half)).toBe('Eve (12-31: 09:00–12:00)');
  const rules = [{ variable: 'tier', operator: 'equals', value: 'gold', destination: 'department||vip' }];
  expect(value('switch', 'rules', rules)).toBe('tier equals gold → <department||vip>');
  expect(value('request', 'choices', [{ answer: 'vip', destination: 'ivr||1' }])).toBe('vip → <ivr||1>');
  expect(value('request', 'save', [{ variable: 'name', pointer: '/name' }])).toBe('name = /name');
  expect(value('request', 'body', { order: '{order}' })).toBe('order: {order}');
});

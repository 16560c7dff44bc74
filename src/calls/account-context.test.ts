import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import { makeFlow } from '../flow/flow.ts';
import { aDepartment, aMenu } from '../flow/testing/samples.ts';
import { AccountContext } from './account-context.ts';
import type { CallEnvironment } from './environment.ts';
import { accountRoutes, agentRecord } from './testing/call-bed.ts';

const agents = [agentRecord('4911', '1001', { record_calls: true }), agentRecord('2', '1002')];
const context = new AccountContext(accountRoutes({}, agents), {} as CallEnvironment);
const flow = makeFlow({
  nodes: [aMenu('recorded', { recordCalls: true }), aMenu('plain', { recordCalls: false })],
  recordings: [],
});

it.each([
  ['of an agent whose calls are recorded', null, 'extension||4911', [], '4911'],
  ['by an agent whose calls are recorded', 'acme/4911', 'extension||2', [], '2'],
  ['by such an agent with an outside number', 'acme/4911', 'number||+44', [], '4911'],
  ['that passed a menu that records', null, 'number||+44', ['ivr||recorded'], null],
] as const)('a conversation %s is recorded', (_, calling, owner, arrivals, eid) => {
  expect(context.recordingOf(flow, calling, owner, arrivals)).toEqual({ notice: true, eid });
});

it.each([
  ['with an outside number of the same digits as an agent', null, 'number||4911', []],
  ['of another agent', 'acme/2', 'extension||2', []],
  ['that passed a menu that does not record', null, 'number||+44', ['ivr||plain']],
  ['that passed no menu', null, 'number||+44', []],
] as const)('a conversation %s is not recorded', (_, calling, owner, arrivals) => {
  expect(context.recordingOf(flow, calling, owner, arrivals)).toBeNull();
});

it.each([
  ['the music of the department', {}, ['department||sales'], 'sales-sound'],
  ['that of the last department', {}, ['department||sales', 'department||plain'], 'house-sound'],
  ['the music of the account', {}, ['ivr||plain'], 'house-sound'],
  ['the built-in music', { music_on_hold: null }, [], 'music-on-hold'],
  ['the built-in music for one that is gone', { music_on_hold: 'recording||gone' }, [], 'music-on-hold'],
  ['a tone', { hold_sound: 'tone' }, ['department||sales'], 'hold'],
  ['silence', { hold_sound: 'silence' }, ['department||sales'], 'silence'],
] as const)('who is on hold hears %s', (_, changed: Partial<Settings>, nodes, sound) => {
  const settings = { ...DEFAULT_SETTINGS, music_on_hold: 'recording||house', ...changed };
  const sounds = new Map([
    ['house', 'house-sound'],
    ['sales', 'sales-sound'],
  ]);
  const of = new AccountContext(accountRoutes({ settings, sounds }), {} as CallEnvironment);
  const departments = [aDepartment('sales', { holdMusic: 'sales' }), aDepartment('plain')];
  const withDepartments = makeFlow({ nodes: departments, recordings: [] });
  const heard = of.holdSound(withDepartments, nodes);
  expect(Object.values(heard)).toContain(sound);
});

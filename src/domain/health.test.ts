import { describe, expect, it } from 'vitest';
import type { Finding } from '../flow/lint/finding.ts';
import { type HealthFacts, healthFindings, type MachineCode } from './health.ts';

const GB = 1024 ** 3;
const agent = (eid: string, state: 'free' | 'unreachable' | 'off_duty' | 'blocked' | 'paused') => ({
  eid,
  state,
  phones: { registered: state === 'free' ? 1 : 0 },
});
const trunk = { id: 't', registered: true, reachable: null, problem: null, unused_addresses: [] };
const MACHINE: HealthFacts['machines'][number] = {
  node: 'a',
  recordFailure: null,
  disk: { freeBytes: 100 * GB, reserveBytes: GB, isLow: false },
  certificate: null,
};
const WELL: HealthFacts = {
  nowMs: 0,
  lint: [],
  lost: [],
  unmailed: [],
  prompts: { language: 'en', untranslated: [] },
  numbers: 1,
  departments: [{ id: 'sales', name: 'Sales', agents: ['1', '2'] }],
  trunks: [{ id: 't', name: 'Provider', enabled: true, host: '192.168.0.9' }],
  live: { agents: [agent('1', 'free'), agent('2', 'free')], trunks: [trunk] },
  machines: [MACHINE],
  unanswered: [],
  isOperator: true,
};
const codes = (facts: Partial<HealthFacts>): string[] =>
  healthFindings({ ...WELL, ...facts }).map(({ code, severity }) => `${severity} ${code}`);
const live = WELL.live ?? { agents: [], trunks: [] };

describe('health', () => {
  it('finds nothing where all is well', () => {
    expect(codes({})).toEqual([]);
  });

  it('calls an error what makes callers lose calls', () => {
    expect(codes({ live: { ...live, trunks: [{ ...trunk, registered: false, problem: 'No.' }] } })).toEqual([
      'error trunk-unregistered',
    ]);
    expect(codes({ live: { ...live, trunks: [{ ...trunk, reachable: false }] } })).toEqual([
      'error trunk-unreachable',
    ]);
    const away = [agent('1', 'unreachable'), agent('2', 'blocked')];
    expect(codes({ live: { ...live, agents: away } })).toEqual([
      'error department-unanswered',
      'warning agents-without-phones',
    ]);
    expect(codes({ live: null })).toEqual(['error telephones-off']);
  });

  it('takes a pause without a phone that can ring for what it is: nobody who could answer', () => {
    const paused = (eid: string, canRing: boolean) => ({ ...agent(eid, 'paused'), canRing });
    const home = [paused('1', false), paused('2', false)];
    expect(codes({ live: { ...live, agents: home } })).toEqual([
      'error department-unanswered',
      'warning agents-without-phones',
    ]);
    // A pause passes by itself.
    expect(codes({ live: { ...live, agents: [paused('1', true), paused('2', true)] } })).toEqual([]);
    expect(codes({ live: { ...live, agents: [agent('1', 'paused'), agent('2', 'paused')] } })).toEqual([]);
  });

  it('says nothing of a department whose agents are off duty, nor of a trunk that is off', () => {
    const night = [agent('1', 'off_duty'), agent('2', 'off_duty')];
    expect(codes({ live: { ...live, agents: night } })).toEqual([]);
    const off = [{ id: 't', name: 'Provider', enabled: false, host: 'sip.example.com' }];
    expect(codes({ trunks: off, live: { ...live, trunks: [{ ...trunk, registered: false }] } })).toEqual([]);
  });

  it('has the severities of the linter, and leaves out what costs no call', () => {
    const found = (code: Finding['code'], severity: Finding['severity'] = 'warning'): Finding => ({
      code,
      severity,
      node: 'ivr||main',
      pointer: '/options/0',
      message: 'x',
    });
    expect(
      codes({
        lint: [
          found('email-unavailable'),
          found('recording-missing', 'error'),
          found('menu-unreached'),
          found('loop-without-input'),
          found('loop-without-input', 'error'),
          found('destination-missing', 'error'),
        ],
      }),
    ).toEqual([
      'error recording-missing',
      'error destination-missing',
      'error loop-without-input',
      'warning loop-without-input',
      'warning email-unavailable',
    ]);
  });

  it('tells of the machine the operator alone, but of recording that has stopped everybody', () => {
    const machine = (change: object) => ({ machines: [{ ...MACHINE, ...change }] });
    const soon = machine({
      certificate: { expiresAtMs: 24 * 3_600_000 },
      disk: { ...MACHINE.disk, freeBytes: 2 * GB },
    });
    expect(codes(soon)).toEqual(['warning disk-nearly-full', 'warning certificate-expiring']);
    expect(codes({ ...soon, isOperator: false })).toEqual([]);
    const full = machine({ disk: { ...MACHINE.disk, isLow: true } });
    expect(codes({ isOperator: false, ...full })).toEqual(['error disk-full']);
    expect(codes(machine({ certificate: { expiresAtMs: -1 } }))).toEqual(['error certificate-expired']);
    expect(codes(machine({ disk: { ...MACHINE.disk, freeBytes: null } }))).toEqual([]);
  });

  it('looks at the machine of every node, and names the node to the operator alone', () => {
    const disk = { ...MACHINE.disk, isLow: true };
    const machines = [
      MACHINE,
      { ...MACHINE, node: 'b', disk, certificate: { expiresAtMs: -1 } },
      { ...MACHINE, node: 'c', disk, recordFailure: 'full' as const },
    ];
    const foundBy = (isOperator: boolean) =>
      healthFindings({ ...WELL, machines, isOperator }).map(({ code, values }) => [code, values['node']]);
    expect(foundBy(true)).toEqual([
      ['records-not-written', 'c'],
      ['disk-full', 'b'],
      ['disk-full', 'c'],
      ['certificate-expired', 'b'],
    ]);
    expect(foundBy(false)).toEqual([
      ['records-not-written', undefined],
      ['disk-full', undefined],
    ]);
  });

  describe('with the checks of the machine', () => {
    const check = (code: MachineCode) => ({
      code,
      message: `${code} at 10.0.0.1`,
      values: { port: 'UDP 5060' },
    });
    const machines = [
      { ...MACHINE, checks: [check('sip-port-silent'), check('open-files-few'), check('clock-wrong')] },
    ];

    it('shows the operator what they found, and others what concerns their calls, without the machine', () => {
      const of = (isOperator: boolean) =>
        healthFindings({ ...WELL, machines, isOperator }).map(({ code, severity, message, values }) => [
          `${severity} ${code}`,
          message,
          values,
        ]);
      const values = { port: 'UDP 5060' };
      expect(of(true)).toEqual([
        ['error sip-port-silent', 'sip-port-silent at 10.0.0.1', values],
        ['error clock-wrong', 'clock-wrong at 10.0.0.1', values],
        ['warning open-files-few', 'open-files-few at 10.0.0.1', values],
      ]);
      expect(of(false)).toEqual([
        [
          'error sip-port-silent',
          'Some phones or providers may not reach the service: one of its ports does not answer.',
          {},
        ],
      ]);
    });

    it('names the node where there are several, and leaves out what it has no words for', () => {
      const later = { ...check('sip-port-silent'), code: 'of-a-later-version' as MachineCode };
      const both = [MACHINE, { ...MACHINE, node: 'b', checks: [check('clock-jumped'), later] }];
      const found = healthFindings({ ...WELL, machines: both });
      expect(found.map(({ code, values }) => [code, values['node']])).toEqual([['clock-jumped', 'b']]);
    });

    it('minds an address that the internet does not reach only where a trunk leads there', () => {
      const addresses = [{ ...MACHINE, checks: [check('address-local'), check('address-private')] }];
      const by = (host: string, enabled = true) =>
        codes({ machines: addresses, trunks: [{ id: 't', name: 'Provider', enabled, host }] });
      for (const host of ['127.0.0.1', '192.168.0.9', 'pbx', 'pbx.local'])
        expect([host, by(host)]).toEqual([host, []]);
      const doubts = ['error address-local', 'warning address-private'];
      for (const host of ['203.0.113.9', 'sip.example.com']) expect([host, by(host)]).toEqual([host, doubts]);
      expect(by('sip.example.com', false)).toEqual([]);
    });
  });

  it('tells every account of nodes that do not answer, and the operator which', () => {
    const unanswered = ['b', 'c'];
    const foundBy = (isOperator: boolean) =>
      healthFindings({ ...WELL, unanswered, isOperator }).map(({ message }) => message);
    expect(foundBy(true)).toEqual(['Node b does not answer.', 'Node c does not answer.']);
    expect(foundBy(false)).toEqual(['A part of the service does not answer.']);
  });

  it('does not call well what was not checked', () => {
    expect(codes({ lint: null })).toEqual(['warning flow-unchecked']);
  });

  it('finds mail that the settings promise, and sounds that are lost: an error where something plays them', () => {
    expect(codes({ unmailed: ['reports', 'notifications'] })).toEqual(['warning email-unavailable']);
    const prompts = { language: 'de', untranslated: ['apology', 'key-star'] };
    expect(healthFindings({ ...WELL, prompts })).toMatchObject([
      { code: 'prompts-untranslated', severity: 'warning', values: { language: 'de', missing: '2' } },
    ]);
    const lost = [
      { id: 'a', name: 'Old', isPlayed: false },
      { id: 'b', name: 'Welcome', isPlayed: true },
    ];
    expect(codes({ lost })).toEqual(['error recording-lost', 'warning recording-lost']);
  });

  it('names each agent without a phone, up to a bound, and how many there are', () => {
    const agents = Array.from({ length: 250 }, (_, at) => agent(String(at), 'unreachable'));
    const [found] = healthFindings({ ...WELL, departments: [], live: { ...live, agents } });
    expect([found?.count, found?.concerns.length, found?.concerns[0]]).toEqual([250, 100, 'extension||0']);
  });
});

import { expect, it } from 'vitest';
import { HEALTH_CODES, type HealthCode } from '../../../../src/domain/health.ts';
import type { HealthFinding } from '../../data/health.ts';
import { mendOf, pageOf } from './mends.ts';

const finding = (code: HealthFinding['code'], concerns: string[], pointer = ''): HealthFinding => ({
  code,
  severity: 'error',
  concerns,
  count: concerns.length,
  pointer,
  message: '',
  values: {},
});

it('mends by one press what may be left empty, and nothing that takes a choice', () => {
  expect(mendOf(finding('recording-missing', ['department||a'], '/music_on_hold'))?.label).toBe(
    'health.mend.builtIn',
  );
  expect(mendOf(finding('destination-missing', ['extension||1'], '/failover_destination'))?.label).toBe(
    'health.mend.remove',
  );
  expect(mendOf(finding('recording-missing', ['settings'], '/music_on_hold'))?.operation).toBe(
    'patchSettings',
  );
  expect(mendOf(finding('destination-missing', ['ivr||main'], '/destination/0'))).toBeNull();
  expect(mendOf(finding('trunk-unregistered', ['trunk||t']))).toBeNull();
});

it('leads to the record, or to the page for what concerns the service', () => {
  const page = (reference: string): string => `/page/${reference}`;
  expect(pageOf(finding('dead-end', ['ivr||main']), page, true)).toBe('/page/ivr||main');
  expect(pageOf(finding('number-missing', []), page, false)).toBe('/numbers/new');
  expect(pageOf(finding('email-unavailable', ['voicemail||v']), page, true)).toBe('/service');
  expect(pageOf(finding('email-unavailable', ['voicemail||v']), page, false)).toBe('/page/voicemail||v');
  expect(pageOf(finding('certificate-expired', []), page, false)).toBeNull();
});

it('every code leads somewhere: the operator always, and others wherever the account can mend it', () => {
  const ofTheService: HealthCode[] = [
    'telephones-off',
    'records-not-written',
    'node-unanswered',
    'certificate-expired',
    'certificate-expiring',
    'sip-port-silent',
    'browser-port-taken',
    'browser-port-other',
    'sound-ports-none',
    'sound-ports-taken',
    'sound-ports-few',
    'address-unusable',
    'address-local',
    'address-private',
    'clock-wrong',
    'clock-without-zones',
    'clock-jumped',
    'clock-apart',
    'clock-differs',
    'open-files-few',
    'sound-store-unusable',
  ];
  const alone: HealthCode[] = [
    ...ofTheService,
    'number-missing',
    'disk-full',
    'disk-nearly-full',
    'prompts-untranslated',
    'flow-unchecked',
  ];
  for (const code of Object.keys(HEALTH_CODES) as HealthCode[]) {
    const found = finding(code, alone.includes(code) ? [] : ['ivr||main']);
    const page = (isOperator: boolean) => pageOf(found, () => '/page', isOperator);
    expect([code, page(true)]).toEqual([code, expect.stringMatching(/^\//)]);
    expect([code, page(false) === null]).toEqual([code, ofTheService.includes(code)]);
  }
});

import { describe, expect, it } from 'vitest';
import { makeFlow } from '../../../../src/flow/flow.ts';
import { LINT_CODES } from '../../../../src/flow/lint/finding.ts';
import { anAgent } from '../../../../src/flow/testing/samples.ts';
import { addOption, emptyDraft, type IvrDraft, withOption } from './draft.ts';
import { fixesOf } from './fixes.ts';
import { failedTests, lintDraft } from './judgement.ts';

const FLOW = makeFlow({
  nodes: [anAgent('7'), { ...anAgent('8'), blocked: true }],
  recordings: ['1', '2'].map((id) => ({ id, name: id, durationMs: 1_000 })),
  templates: new Map([['resting', { id: 'resting', name: 'Resting', text: 'x', active: false }]]),
  settings: { smsTemplates: true, webhooks: new Set(['1']) },
});

const SOUND: IvrDraft = {
  ...withOption(addOption(emptyDraft(), '1'), 0, { destination: 'extension||7' }),
  name: 'Main',
  recording: 'recording||1',
  invalid_recording: 'recording||1',
  timeout_retry_recording: 'recording||2',
  timeout_recording: 'recording||2',
  invalid_destination: 'extension||7',
  timeout_destination: 'extension||7',
};

/** The draft after the first fix of the finding with this code that changes it. */
function fixed(draft: IvrDraft, code: string): IvrDraft {
  const finding = lintDraft(FLOW, 'main', draft).find((one) => one.code === code);
  if (!finding) throw new Error(`The linter does not say ${code}.`);
  const fix = fixesOf(finding, draft).find(({ does }) => does === 'change');
  if (fix?.does !== 'change') throw new Error(`Nothing is offered for ${code}.`);
  return fix.change(draft);
}

describe('fixes', () => {
  it.each(LINT_CODES)('offer something for %s', (code) => {
    expect(fixesOf({ code, node: 'ivr||main', pointer: '/destination/0' }, SOUND)).not.toEqual([]);
  });

  it.each([
    ['recording-missing', { ...SOUND, recording_invalid: 'recording||9' }],
    ['destination-missing', addedKey({ destination: 'extension||70' })],
    ['sms-template-missing', withOption(SOUND, 0, { sms_template: 'gone' })],
    ['sms-template-inactive', withOption(SOUND, 0, { sms_template: 'resting' })],
    ['webhook-missing', withOption(SOUND, 0, { webhook: 'webhook||9' })],
    ['loop-without-input', { ...SOUND, timeout_destination: 'ivr||main' }],
    ['option-shadowed', addedKey({ keys: '12', destination: 'extension||7' })],
    ['timeout-zero-retries', { ...SOUND, timeout: 0 }],
  ])('take %s away', (code, draft) => {
    expect(lintDraft(FLOW, 'main', fixed(draft, code))).toEqual([]);
  });

  it('lead to the agent who is blocked', () => {
    const draft = { ...SOUND, invalid_destination: 'extension||8' };
    const [finding] = lintDraft(FLOW, 'main', draft);
    expect(finding?.code).toBe('agent-blocked');
    expect(finding && fixesOf(finding, draft)).toMatchObject([
      { does: 'visit', reference: 'extension||8' },
      { does: 'look', pointer: '/invalid_destination' },
    ]);
  });
});

function addedKey(change: { keys?: string; destination: string }): IvrDraft {
  return withOption(addOption(SOUND, '2'), 1, change);
}

describe('the draft of a menu', () => {
  it('is linted without what is not chosen yet', () => {
    expect(lintDraft(FLOW, null, addOption(emptyDraft(), '1'))).toEqual([]);
    expect(lintDraft(FLOW, null, SOUND)).toEqual([]);
  });

  it('runs its stored tests before it is saved', () => {
    const tests = [{ name: '1 reaches 7', script: '1', expect: { destination: 'extension||7' } }];
    expect(failedTests(FLOW, 'main', { ...SOUND, tests })).toEqual([]);
    const broken = withOption({ ...SOUND, tests }, 0, { destination: 'hangup||now' });
    const [failed] = failedTests(FLOW, 'main', broken);
    expect(failed?.name).toBe('1 reaches 7');
    expect(failed?.differences.join(' ')).toContain('extension||7');
  });
});

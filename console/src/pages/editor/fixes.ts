// The fixes for each finding of the linter: a change of the draft, a field to focus, or another record to open. The switch covers
// every code: the compiler reports a missing one.
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import type { IvrDraft } from './draft.ts';
import { removeOption, withOption } from './draft.ts';
import { freeKey } from './keypad.ts';

/** The labels of the buttons, as keys of the catalogue without their prefix. */
export type FixName =
  | 'same-recording'
  | 'choose-recording'
  | 'choose-destination'
  | 'remove-key'
  | 'remove-sms'
  | 'remove-webhook'
  | 'hang-up-on-silence'
  | 'other-key'
  | 'choose-key'
  | 'wait'
  | 'open-record'
  | 'open-template'
  | 'connect-number';

interface Said {
  readonly word: FixName;
  readonly values?: Readonly<Record<string, string | number>>;
}

export type Fix =
  | (Said & { readonly does: 'change'; change(draft: IvrDraft): IvrDraft; readonly pointer: string })
  | (Said & { readonly does: 'look'; readonly pointer: string })
  /** `kind||id` of the record to open. */
  | (Said & { readonly does: 'visit'; readonly reference: string })
  | (Said & { readonly does: 'page'; readonly to: string });

/** Seconds to wait for a key: enough to decide. */
const USUAL_WAIT_SECONDS = 5;
export const HANG_UP = 'hangup||hangup';

/** The best fix first; the last is always to open the field. */
export function fixesOf(finding: Pick<Finding, 'code' | 'node' | 'pointer'>, draft: IvrDraft): Fix[] {
  const { code, node, pointer } = finding;
  const index = indexOf(pointer);
  switch (code) {
    case 'recording-missing':
      return [...sameRecording(pointer), { does: 'look', word: 'choose-recording', pointer }];
    case 'destination-missing':
      return [{ does: 'look', word: 'choose-destination', pointer }, ...withoutKey(draft, index)];
    case 'agent-blocked':
    case 'dead-end':
      return [...visit(destinationAt(draft, pointer)), { does: 'look', word: 'choose-destination', pointer }];
    case 'sms-template-missing':
    case 'sms-unavailable':
      return [withoutSms(index, pointer)];
    case 'sms-template-inactive':
      return [withoutSms(index, pointer), ...openTemplate(draft, index)];
    case 'webhook-missing':
      return [{ does: 'change', word: 'remove-webhook', change: partCleared(index, 'webhook'), pointer }];
    case 'loop-without-input':
      return [
        { does: 'change', word: 'hang-up-on-silence', change: hungUpOnSilence, pointer },
        { does: 'look', word: 'choose-destination', pointer },
      ];
    case 'option-shadowed':
      return [...onOtherKey(draft, index, pointer), { does: 'look', word: 'choose-key', pointer }];
    case 'timeout-zero-retries':
      return [waiting(pointer)];
    case 'menu-unreached':
      return [{ does: 'page', word: 'connect-number', to: '/numbers' }];
    case 'queue-endless':
    case 'hours-never-open':
    case 'hours-gap':
    case 'hours-zone-unknown':
    case 'email-unavailable':
    case 'star-code-hidden':
    case 'variable-unset':
    case 'rule-unreachable':
    case 'request-fails-into-itself':
    case 'secret-in-url':
    case 'stream-without-disclosure':
    case 'test-failed':
      return visit(node);
    default:
      return code satisfies never;
  }
}

/** The position in `/destination/3`; -1 where the pointer names no item. */
export function indexOf(pointer: string): number {
  const index = Number(pointer.split('/')[2] ?? -1);
  return Number.isSafeInteger(index) ? index : -1;
}

export function destinationAt(draft: IvrDraft, pointer: string): string {
  if (pointer === '/invalid_destination') return draft.invalid_destination;
  if (pointer === '/timeout_destination') return draft.timeout_destination;
  return draft.options[indexOf(pointer)]?.destination ?? '';
}

function sameRecording(pointer: string): Fix[] {
  if (pointer !== '/recording_invalid') return [];
  const change = (draft: IvrDraft): IvrDraft => ({ ...draft, recording_invalid: '' });
  return [{ does: 'change', word: 'same-recording', change, pointer }];
}

function withoutKey(draft: IvrDraft, index: number): Fix[] {
  const option = draft.options[index];
  if (!option) return [];
  return [
    {
      does: 'change',
      word: 'remove-key',
      values: { keys: option.keys },
      change: (now) => removeOption(now, index),
      pointer: '/option',
    },
  ];
}

const partCleared =
  (index: number, part: 'sms_template' | 'webhook') =>
  (draft: IvrDraft): IvrDraft =>
    withOption(draft, index, { [part]: null });

function withoutSms(index: number, pointer: string): Fix {
  return { does: 'change', word: 'remove-sms', change: partCleared(index, 'sms_template'), pointer };
}

function openTemplate(draft: IvrDraft, index: number): Fix[] {
  const template = draft.options[index]?.sms_template;
  return template ? [{ does: 'visit', word: 'open-template', reference: `sms_template||${template}` }] : [];
}

const hungUpOnSilence = (draft: IvrDraft): IvrDraft => ({ ...draft, timeout_destination: HANG_UP });

function onOtherKey(draft: IvrDraft, index: number, pointer: string): Fix[] {
  const option = draft.options[index];
  const key = freeKey(draft);
  if (!option || key === null) return [];
  const values = { from: option.keys, to: key };
  return [
    {
      does: 'change',
      word: 'other-key',
      values,
      change: (now) => withOption(now, index, { keys: key }),
      pointer,
    },
  ];
}

function waiting(pointer: string): Fix {
  return {
    does: 'change',
    word: 'wait',
    values: { count: USUAL_WAIT_SECONDS },
    change: (draft) => ({ ...draft, timeout: USUAL_WAIT_SECONDS }),
    pointer,
  };
}

function visit(reference: string): Fix[] {
  return reference === '' ? [] : [{ does: 'visit', word: 'open-record', reference }];
}

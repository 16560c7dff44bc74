// How each finding is mended: by one press where the record can be put right without a choice, else on a page.

import type { OperationId } from '../../../../src/domain/roles.ts';
import { SETTINGS_NODE } from '../../../../src/flow/lint/finding.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import type { HealthFinding } from '../../data/health.ts';
import { changed } from '../../data/records.ts';
import type { Key } from '../../words/words.tsx';

export interface Mend {
  readonly label: Key;
  /** What the user must be allowed to do. */
  readonly operation: OperationId;
  readonly run: () => Promise<unknown>;
}

interface Cleared {
  readonly operation: OperationId;
  readonly run: (id: string, body: { readonly [member: string]: null }) => Promise<unknown>;
}

/** Kinds whose members may be left empty. By the word of their references. */
const CLEAR: Readonly<Record<string, Cleared>> = {
  department: {
    operation: 'patchDepartment',
    run: async (id, body) => {
      await client.patchDepartment({ params: { id }, body });
      changed('department');
    },
  },
  extension: {
    operation: 'patchAgent',
    run: async (eid, body) => {
      await client.patchAgent({ params: { eid }, body });
      changed('agent');
    },
  },
  voicemail: {
    operation: 'patchVoicemailBox',
    run: async (id, body) => {
      await client.patchVoicemailBox({ params: { id }, body });
      changed('voicemail');
    },
  },
  [SETTINGS_NODE]: {
    operation: 'patchSettings',
    run: async (_id, body) => {
      await client.patchSettings({ body });
    },
  },
  room: {
    operation: 'patchRoom',
    run: async (id, body) => {
      await client.patchRoom({ params: { id }, body });
      changed('room');
    },
  },
};

const LABELS: Partial<Record<HealthFinding['code'], Key>> = {
  'recording-missing': 'health.mend.builtIn',
  'destination-missing': 'health.mend.remove',
};

/** Null if it takes a choice. */
export function mendOf({ code, concerns, pointer }: HealthFinding): Mend | null {
  const label = LABELS[code];
  const member = /^\/([a-z_]+)$/.exec(pointer)?.[1];
  const [reference] = concerns;
  if (label === undefined || member === undefined || reference === undefined) return null;
  const { kind, id } = splitReference(reference);
  const clear = CLEAR[reference === SETTINGS_NODE ? SETTINGS_NODE : kind];
  return clear ? { label, operation: clear.operation, run: () => clear.run(id, { [member]: null }) } : null;
}

/**
 * Where each finding is mended when it takes more than a press. `record`: the page of what it concerns. `page`: what concerns nothing else.
 * `operator`: for the operator of the service, whose machine it is; the others are told who mends it.
 */
interface Way {
  readonly record?: true;
  readonly page?: string;
  readonly operator?: string;
}

const RECORD: Way = { record: true };
/** THE TABLE: every code has a way. */
const WAYS: Readonly<Record<HealthFinding['code'], Way>> = {
  'telephones-off': { operator: '/service' },
  'records-not-written': { operator: '/nodes' },
  'node-unanswered': { operator: '/nodes' },
  'trunk-unregistered': RECORD,
  'trunk-unreachable': RECORD,
  'trunk-addresses-unused': RECORD,
  'number-missing': { page: '/numbers/new' },
  'department-unanswered': RECORD,
  'agents-without-phones': RECORD,
  // How long calls and messages are kept is said there.
  'disk-full': { page: '/settings' },
  'disk-nearly-full': { page: '/settings' },
  'certificate-expired': { operator: '/service' },
  'certificate-expiring': { operator: '/service' },
  'sip-port-silent': { operator: '/nodes' },
  'browser-port-taken': { operator: '/service' },
  'browser-port-other': { operator: '/service' },
  'sound-ports-none': { operator: '/service' },
  'sound-ports-taken': { operator: '/service' },
  'sound-ports-few': { operator: '/service' },
  'address-unusable': { operator: '/service' },
  'address-local': { operator: '/service' },
  'address-private': { operator: '/service' },
  'clock-wrong': { operator: '/nodes' },
  'clock-without-zones': { operator: '/nodes' },
  'clock-jumped': { operator: '/nodes' },
  'clock-apart': { operator: '/nodes' },
  'clock-differs': { operator: '/nodes' },
  'open-files-few': { operator: '/service' },
  'sound-store-unusable': { operator: '/service' },
  'recording-missing': RECORD,
  'recording-lost': RECORD,
  'destination-missing': RECORD,
  'dead-end': RECORD,
  'loop-without-input': RECORD,
  'hours-never-open': RECORD,
  'hours-zone-unknown': RECORD,
  'test-failed': RECORD,
  'prompts-untranslated': { page: '/prompts' },
  'flow-unchecked': { page: '/map' },
  'agent-blocked': RECORD,
  'email-unavailable': { operator: '/service', record: true },
  'sms-unavailable': { operator: '/service', record: true },
  'sms-template-missing': RECORD,
  'sms-template-inactive': RECORD,
  'webhook-missing': RECORD,
  'queue-endless': RECORD,
  'option-shadowed': RECORD,
  'timeout-zero-retries': RECORD,
  'hours-gap': RECORD,
  'star-code-hidden': RECORD,
};

/** Null if the operator mends it, and this is another account. `recordPage`: of a record. */
export function pageOf(
  { code, concerns }: Pick<HealthFinding, 'code' | 'concerns'>,
  recordPage: (reference: string) => string | null,
  isOperator: boolean,
): string | null {
  const { record, page, operator } = WAYS[code];
  if (isOperator && operator !== undefined) return operator;
  const [reference] = concerns;
  if (record && reference !== undefined) return recordPage(reference);
  return page ?? null;
}

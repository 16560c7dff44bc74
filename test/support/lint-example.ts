// The examples of docs/lint.md as flows. They are written as the API's payloads with most members left out;
// this fills in the rest. It is not the service's compiler of records, only enough of one for the examples.

import { type Flow, makeFlow } from '../../src/flow/flow.ts';
import type { FlowNode, Ref } from '../../src/flow/node.ts';
import {
  aDepartment,
  aMenu,
  anAgent,
  anAnnouncement,
  aQueue,
  aVoicemail,
  someHours,
} from '../../src/flow/testing/samples.ts';

type SwitchNode = Extract<FlowNode, { kind: 'switch' }>;

interface Payload {
  readonly recording?: string;
  readonly timeout?: number;
  readonly timeout_tries?: number;
  readonly timeout_destination?: Ref;
  readonly option?: readonly string[];
  readonly tests?: readonly { readonly [member: string]: unknown }[];
  readonly destination?: readonly Ref[];
  readonly url?: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly failed_destination?: Ref;
  readonly disclosure_recording?: string;
  readonly set?: SwitchNode['set'];
  readonly rules?: SwitchNode['rules'];
  readonly webhook?: readonly Ref[];
  readonly sms_template?: readonly string[];
  readonly custom_status?: number;
  readonly failover_destination?: Ref;
  readonly agents?: readonly Ref[];
  readonly queue?: boolean;
  readonly max_wait_seconds?: number;
  readonly email?: string | boolean;
  /** Whether `service` is able to send SMS. */
  readonly sms?: boolean;
  readonly timezone?: string;
  readonly weekly?: readonly {
    readonly days: readonly number[];
    readonly from: string;
    readonly to: string;
  }[];
}

export type LintExample = Readonly<Record<Ref, Payload>>;

export function flowOfExample({ service, ...example }: LintExample): Flow {
  return makeFlow({
    nodes: [
      anAgent('7'),
      anAgent('8'),
      ...Object.entries(example)
        .filter(([ref]) => !ref.startsWith('number||'))
        .map(([ref, payload]) => nodeOf(ref, payload)),
    ],
    recordings: ['1', '2', '3', '4', '5'].map((id) => ({ id, name: `Recording ${id}`, durationMs: 1_000 })),
    templates: new Map(
      ['hello', 'resting'].map((id) => [id, { id, name: id, text: 'Hello', active: id === 'hello' }]),
    ),
    settings: {
      smsTemplates: true,
      webhooks: new Set(['1']),
      capabilities: { sms: service?.sms ?? true, email: service?.email !== false },
    },
  });
}

function nodeOf(ref: Ref, payload: Payload): FlowNode {
  const [kind = '', id = ''] = ref.split('||');
  const failover = payload.failover_destination ?? null;
  switch (kind) {
    case 'ivr':
      return menuOf(id, payload);
    case 'extension':
      return anAgent(id, { blocked: payload.custom_status === 1, failover });
    case 'department':
      return aDepartment(id, {
        agents: payload.agents ?? [],
        failover,
        queue: payload.queue ? aQueue({ maxWaitSeconds: payload.max_wait_seconds ?? 600 }) : null,
      });
    case 'announcement':
      return anAnnouncement(id, payload.destination?.[0] ?? 'extension||7', { recording: '1' });
    case 'voicemail':
      return aVoicemail(id, { mailed: payload.email !== undefined });
    case 'timegroup':
      return someHours(id, {
        zone: payload.timezone ?? 'Europe/Berlin',
        weekly: (payload.weekly ?? [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }]).map((range) => ({
          days: range.days,
          from: minuteOf(range.from),
          to: minuteOf(range.to),
        })),
        openDestination: 'extension||7',
        closedDestination: 'hangup||',
      });
    case 'request':
      return requestOf(ref, payload);
    case 'stream':
      return streamOf(ref, payload);
    case 'switch': {
      const { set = [], rules = [] } = payload;
      return { kind: 'switch', ref, name: id, set, rules, otherwise: 'extension||7' };
    }
    default:
      throw new Error(`The examples know no ${kind}.`);
  }
}

function requestOf(ref: Ref, payload: Payload): FlowNode {
  return {
    kind: 'request',
    ref,
    name: ref,
    method: 'POST',
    url: payload.url ?? 'https://shop.example.com/order',
    body: Object.entries(payload.body ?? {}).map(([name, value]) => ({ name, value })),
    timeoutMs: 3_000,
    save: [],
    choices: [],
    waitRecording: null,
    next: 'extension||7',
    failed: payload.failed_destination ?? 'extension||8',
  };
}

function streamOf(ref: Ref, payload: Payload): FlowNode {
  return {
    kind: 'stream',
    ref,
    name: ref,
    url: payload.url ?? 'wss://bot.example.com/talk',
    parameters: [],
    disclosure: payload.disclosure_recording?.replace('recording||', '') ?? null,
    maxSeconds: 600,
    destinations: [],
    next: 'extension||7',
    failed: payload.failed_destination ?? 'extension||8',
  };
}

function menuOf(id: string, payload: Payload): FlowNode {
  const destinations = payload.destination ?? ['extension||7'];
  const options = (payload.option ?? ['1']).map((keys, index) => ({
    keys,
    destination: destinations[index] ?? '',
    ...(payload.webhook?.[index] ? { webhook: payload.webhook[index].replace('webhook||', '') } : {}),
    smsTemplate: payload.sms_template?.[index] ?? null,
  }));
  return aMenu(id, {
    recording: (payload.recording ?? 'recording||1').replace('recording||', ''),
    invalidRecording: '2',
    timeoutRetryRecording: '3',
    timeoutRecording: '4',
    options,
    timeoutSeconds: payload.timeout ?? 5,
    timeoutTries: payload.timeout_tries ?? 1,
    timeoutDestination: payload.timeout_destination ?? 'extension||8',
  });
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

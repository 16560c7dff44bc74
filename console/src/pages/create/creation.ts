// What a record needs at least, and how each kind is created from it.

import { client } from '../../data/client.ts';
import type { CreatableKind } from '../../kit/create-in-place.tsx';
import { addOption, bodyOf, emptyDraft, withOption } from '../editor/draft.ts';
import { createMenu } from '../editor/sending.ts';
import { type StoredName, withBuiltIn, withoutDefaultFaults } from '../prompts/built-in.ts';
import { orNull } from '../records/record-form.ts';

/** The fields of all kinds; each kind uses some. */
export interface CreateDraft {
  readonly name: string;
  readonly intercom: string;
  readonly agents: readonly string[];
  readonly levels: Readonly<Record<string, number>>;
  readonly recording: string;
  readonly keys: string;
  readonly destination: string;
  readonly closed: string;
  readonly timezone: string;
  readonly email: string;
  readonly pin: string;
  /** A URL, or a SIP address. */
  readonly address: string;
  readonly digits: number | null;
  readonly variable: string;
  readonly equals: string;
  readonly template: string;
  /** Where calls go that fail, or that no rule matches. */
  readonly otherwise: string;
}

export const emptyCreation = (name: string): CreateDraft => ({
  name,
  intercom: '',
  agents: [],
  levels: {},
  recording: '',
  keys: '1',
  destination: '',
  closed: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  email: '',
  pin: '',
  address: '',
  digits: 6,
  variable: '',
  equals: '',
  template: '',
  otherwise: '',
});

export interface MadeRecord {
  readonly id: string;
  /** The SIP password of an agent: shown once. */
  readonly password?: string | undefined;
  readonly intercom?: string;
}

interface CreationContext {
  readonly accountId: string;
  readonly idempotencyKey: string;
  readonly language: string;
  readonly recordings: readonly StoredName[];
}

type Create = (draft: CreateDraft, context: CreationContext) => Promise<MadeRecord>;

const CREATE: { readonly [K in CreatableKind]: Create } = {
  async agent({ name, intercom }, { idempotencyKey }) {
    const made = await client.createAgent({ body: { name, intercom: orNull(intercom) }, idempotencyKey });
    return { id: made.eid, intercom: made.intercom, password: made.sip_password };
  },
  async team({ name }, { idempotencyKey }) {
    return { id: String((await client.createTeam({ body: { name }, idempotencyKey })).id) };
  },
  department: ({ name, agents, levels }, { idempotencyKey }) =>
    client.createDepartment({ body: { name, agents: [...agents], agent_levels: levels }, idempotencyKey }),
  timegroup: ({ name, timezone, destination, closed }, { idempotencyKey }) =>
    client.createTimeGroup({
      body: {
        name,
        timezone,
        weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
        open_destination: orNull(destination),
        closed_destination: orNull(closed),
      },
      idempotencyKey,
    }),
  announcement: ({ name, recording, destination }, { idempotencyKey }) =>
    client.createAnnouncement({ body: { name, recording, destination }, idempotencyKey }),
  voicemail: ({ name, email }, { idempotencyKey }) =>
    client.createVoicemailBox({ body: { name, email: orNull(email) }, idempotencyKey }),
  room: ({ name, pin }, { idempotencyKey }) =>
    client.createRoom({ body: { name, pin: orNull(pin) }, idempotencyKey }),
  collect: ({ name, recording, digits, variable, destination, otherwise }, { idempotencyKey }) =>
    client.createCollect({
      body: {
        name,
        recording: orNull(recording),
        max_digits: digits ?? 0,
        finish_key: '#',
        save_as: variable,
        next_destination: destination,
        failed_destination: otherwise,
      },
      idempotencyKey,
    }),
  request: ({ name, address: url, destination, otherwise }, { idempotencyKey }) =>
    client.createRequest({
      body: { name, url, next_destination: destination, failed_destination: otherwise },
      idempotencyKey,
    }),
  stream: ({ name, address: url, destination, otherwise }, { idempotencyKey }) =>
    client.createStream({
      body: { name, url, next_destination: destination, failed_destination: otherwise },
      idempotencyKey,
    }),
  switch: ({ name, variable, equals, destination, otherwise }, { idempotencyKey }) =>
    client.createSwitch({
      body: {
        name,
        rules: [{ variable, operator: 'equals', value: equals, destination }],
        otherwise_destination: otherwise,
      },
      idempotencyKey,
    }),
  message: ({ name, template, destination }, { idempotencyKey }) =>
    client.createMessage({
      body: { name, sms_template: template, next_destination: destination },
      idempotencyKey,
    }),
  sip_address: ({ name, address: uri, otherwise }, { idempotencyKey }) =>
    client.createSipAddress({
      body: { name, uri, failover_destination: orNull(otherwise) },
      idempotencyKey,
    }),
  async ivr({ name, keys, destination }, { accountId, idempotencyKey, language, recordings }) {
    // Without a destination the service names the missing field; no prompt is stored before.
    const draft = withOption(addOption({ ...emptyDraft(), name }, keys), 0, { destination });
    const complete =
      name.trim() === '' || destination === '' ? draft : await withBuiltIn(draft, language, recordings);
    const { id } = await createMenu(accountId, {
      body: bodyOf(complete) as Parameters<typeof createMenu>[1]['body'],
      idempotencyKey,
    });
    return { id };
  },
};

export async function createRecord(
  kind: CreatableKind,
  draft: CreateDraft,
  context: CreationContext,
): Promise<MadeRecord> {
  try {
    return await CREATE[kind](draft, context);
  } catch (error) {
    throw kind === 'ivr' ? withoutDefaultFaults(error) : error;
  }
}

// What a person types into a telephone, which telephones have registered with it, and how the trunks are.

import { SIP_REALM } from '../../domain/sip-password.ts';
import { problem } from '../../kinds/problem.ts';
import type { Handler } from '../http/handler.ts';
import { object, string, time } from '../schemas/output.ts';

const orNull = (type: string) => ({ type: [type, 'null'] });

const TRUNK_STATE = {
  registered: {
    ...orNull('boolean'),
    description: 'whether the provider knows us; null: it is not asked to',
  },
  problem: { ...orNull('string'), description: 'why not, in words' },
  registered_by: {
    ...orNull('string'),
    description: 'the node that registers; null: there is one node alone, or none registers',
  },
  calls: { type: 'integer', description: 'over this trunk at this moment' },
  reachable: {
    ...orNull('boolean'),
    description: 'whether a host answers OPTIONS; null: they are not asked (keepalive_seconds), or not yet',
  },
  hosts: {
    type: 'array',
    items: object({
      host: string,
      address: { ...string, description: 'empty: the name has none' },
      port: { type: 'integer' },
      reachable: { type: 'boolean' },
      latency_ms: { ...orNull('integer'), minimum: 0 },
    }),
  },
  unused_addresses: {
    type: 'array',
    items: string,
    description: 'no call is taken from them: the account may not have them, or they are in use already',
  },
};

export const TELEPHONY_SCHEMAS = {
  Telephony: object({
    sip: { type: 'boolean', description: 'whether there are telephones at all' },
    host: { ...orNull('string'), description: 'the address that SIP listens at; 0.0.0.0: at all of them' },
    port: { ...orNull('integer'), description: 'for UDP and TCP' },
    tls_port: orNull('integer'),
    transports: { type: 'array', items: { enum: ['udp', 'tcp', 'tls'] } },
    advertised_address: { ...orNull('string'), description: 'ADVERTISED_ADDRESS, where it is set' },
    realm: string,
    sms: { type: 'boolean', description: 'whether an SMS gateway is configured (SMS_URL)' },
    email: { type: 'boolean', description: 'whether a mail server is configured (SMTP_URL)' },
    speech: {
      type: 'boolean',
      description: 'whether a program that speaks text is configured (TTS_COMMAND)',
    },
  }),
  Phone: object({
    address: string,
    user_agent: string,
    expires_at: time,
    reachable: {
      type: 'boolean',
      description: 'false: it does not answer, or its connection is gone; it is not rung until it does',
    },
  }),
  TrunkState: object(TRUNK_STATE),
  LiveTrunk: object({ id: string, ...TRUNK_STATE }),
  Phones: { type: 'array', items: { $ref: '#/components/schemas/Phone' } },
};

interface Listener {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/** From `udp 127.0.0.1:5060`. */
function listenerOf(text: string): Listener {
  const space = text.indexOf(' ');
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  return { protocol: text.slice(0, space), host: text.slice(space + 1, colon), port };
}

export const listenersOf = (
  report: { readonly listening: readonly string[] } | null | undefined,
): Listener[] => (report?.listening ?? []).map(listenerOf);

export const getTelephony: Handler = async (_ask, context) => {
  const listeners = listenersOf(await context.callControl()?.report());
  const plain = listeners.find(({ protocol }) => protocol !== 'tls');
  const telephony = {
    sip: listeners.length > 0,
    host: plain?.host ?? null,
    port: plain?.port ?? null,
    tls_port: listeners.find(({ protocol }) => protocol === 'tls')?.port ?? null,
    transports: [...new Set(listeners.map(({ protocol }) => protocol))],
    advertised_address: context.advertisedAddress,
    realm: SIP_REALM,
    ...context.capabilities,
  };
  return { status: 200, json: telephony };
};

export const listPhones: Handler = async (request, context) => {
  const eid = request.params['eid'] ?? '';
  if (!(await request.directory()).agents.has(eid))
    return problem('record_unknown', 'There is no agent with this eid.');
  const phones = (await context.callControl()?.phonesOf({ account: request.account.id, eid })) ?? [];
  const shown = phones.map(({ address, userAgent, expiresAtMs, answers }) => ({
    address,
    user_agent: userAgent,
    expires_at: new Date(expiresAtMs).toISOString(),
    // As the node that pings it knows: the same on every node.
    reachable: answers,
  }));
  return { status: 200, json: shown };
};

const NO_TELEPHONES = {
  registered: null,
  problem: 'SIP is off: there are no telephones.',
  registered_by: null,
  calls: 0,
  reachable: null,
  hosts: [],
  unused_addresses: [],
};

export const getTrunkState: Handler = async (request, context) => {
  const id = request.params['id'] ?? '';
  if (!(await request.directory()).trunks.has(id))
    return problem('record_unknown', 'There is no trunk with this id.');
  const state = await context.callControl()?.trunkState({ account: request.account.id, id });
  return { status: 200, json: state ?? NO_TELEPHONES };
};

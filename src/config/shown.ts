// What the console shows of the configuration, to the operator alone: THE TABLE of groups. Secrets are left out, not masked.

import {
  isSettable,
  type SettableVariable,
  type VariableLock,
  type VariableSource,
  type VariableValues,
} from '../domain/service-variable.ts';
import { effectiveValue } from './settable.ts';
import { VARIABLES } from './variables.ts';

/** By group: each variable with why it cannot be set by request; null: it can, unless the environment sets it. */
export const SHOWN_VARIABLES = {
  mail: { SMTP_URL: null, MAIL_FROM: null, MAIL_PER_MINUTE: null, MAIL_PER_DAY: null },
  sms: { SMS_URL: null, SMS_SENDER: null, SMS_PER_MINUTE: null },
  speech: { TTS_COMMAND: 'program', TTS_URL: 'security', TTS_MODEL: 'machine', TTS_VOICE: 'machine' },
  network: {
    PUBLIC_URL: null,
    ADVERTISED_ADDRESS: null,
    HOST: 'machine',
    PORT: 'machine',
    TRUSTED_PROXIES: 'security',
    SIP: 'machine',
    SIP_HOST: 'machine',
    SIP_PORT: 'machine',
    SIP_TLS_PORT: 'machine',
    RTP_PORTS: 'machine',
    WEBRTC_PORT: 'machine',
    ICE_SERVERS: 'security',
    SIP_EDGES: 'security',
    SIP_OUTBOUND_EDGE: 'security',
    SIP_ADDRESS_HOSTS: 'security',
    OUTBOUND_ALLOW: 'security',
    MAX_CALLS: 'machine',
  },
} as const satisfies Record<string, ShownTable>;

type ShownTable = { readonly [Name in SettableVariable]?: null } & {
  readonly [Name in Exclude<keyof typeof VARIABLES, SettableVariable>]?: Exclude<VariableLock, 'environment'>;
};

export type ShownGroup = keyof typeof SHOWN_VARIABLES;

export interface ShownVariable {
  readonly name: string;
  /** Null if not set, and nothing stands for it. Of an address with a secret: without user, password, path and query. */
  readonly value: string | null;
  /** The environment sets it. */
  readonly fixed: boolean;
  /** It holds a secret, which is not shown. */
  readonly secret: boolean;
  readonly source: VariableSource;
  /** Why it cannot be set by request; null: it can. */
  readonly locked: VariableLock | null;
}

export type ShownConfig = Readonly<Record<ShownGroup, readonly ShownVariable[]>>;

const URLS: readonly string[] = ['SMTP_URL', 'SMS_URL', 'TTS_URL'];

export function shownConfig(environment: Readonly<Record<string, string | undefined>>): ShownConfig {
  const shown = (name: keyof typeof VARIABLES, lock: VariableLock | null): ShownVariable => {
    const given = environment[name]?.trim() ?? '';
    const isGiven = given !== '';
    const locked = isGiven ? 'environment' : lock;
    const source = isGiven ? 'environment' : 'default';
    return { name, ...shownValue(name, given || VARIABLES[name][0]), fixed: isGiven, source, locked };
  };
  const groups = Object.entries(SHOWN_VARIABLES).map(([group, table]) => [
    group,
    Object.entries(table).map(([name, lock]) => shown(name as keyof typeof VARIABLES, lock)),
  ]);
  return Object.fromEntries(groups) as ShownConfig;
}

/** The same with stored values for what the environment leaves open. */
export function shownWith(
  shown: ShownConfig,
  environment: VariableValues,
  stored: VariableValues,
): ShownConfig {
  const completed = (variable: ShownVariable): ShownVariable => {
    const { name, fixed } = variable;
    if (fixed || !isSettable(name)) return variable;
    const source = stored[name] === undefined ? 'default' : 'stored';
    return { ...variable, ...shownValue(name, effectiveValue(name, environment, stored)), source };
  };
  const { mail, sms, speech, network } = shown;
  return {
    mail: mail.map(completed),
    sms: sms.map(completed),
    speech,
    network: network.map(completed),
  };
}

/** What may be shown of a value, and whether that leaves something out. */
export function shownValue(name: string, text: string): Pick<ShownVariable, 'value' | 'secret'> {
  if (!URLS.includes(name)) return { value: text === '' ? null : text, secret: false };
  const value = hostOf(text);
  return { value: value === '' ? null : value, secret: value !== text.replace(/\/$/, '') };
}

/** `smtp://host:587`: user, password, path and query may be secrets. */
function hostOf(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

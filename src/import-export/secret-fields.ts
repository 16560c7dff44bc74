// Secrets as a file has them: opened, and checked like the bodies of the API. Faults never quote them.

import { SIP_REALM } from '../domain/sip-password.ts';
import type { SipDigests } from '../kinds/agent.ts';
import { type Field, named } from '../kinds/field.ts';
import { FIELDS } from '../kinds/fields.ts';
import { Faults } from '../kinds/problem.ts';

export interface FormerSecret {
  readonly secret: string;
  readonly until_ms: number;
}

type Members = { readonly [name: string]: unknown };

function hidden<T>(words: string, sample: T, read: (given: Members) => T | undefined): Field<T> {
  const schema = { type: 'object', description: words };
  return {
    input: schema,
    output: schema,
    samples: [sample],
    read(value, at, faults) {
      const given = typeof value === 'object' && value !== null ? read({ ...value }) : undefined;
      if (given === undefined) faults.add(at, 'text_malformed', `${named(at)} must be ${words}.`);
      return given;
    },
  };
}

const isHex = (value: unknown, digits: number): value is string =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);

/** What checks a phone's password (RFC 7616); absent: a new agent gets a new password. */
export const sipDigests: Field<SipDigests> = hidden(
  `realm ${SIP_REALM}, and md5 and sha256 in hexadecimal digits`,
  { realm: SIP_REALM, md5: 'a'.repeat(32), sha256: 'b'.repeat(64) },
  ({ realm, md5, sha256 }) =>
    realm === SIP_REALM && isHex(md5, 32) && isHex(sha256, 64) ? { realm, md5, sha256 } : undefined,
);

export const formerSecret: Field<FormerSecret> = hidden(
  'secret, and until_ms in milliseconds since 1970',
  { secret: `whsec_${'A'.repeat(32)}`, until_ms: 1_700_000_000_000 },
  ({ secret, until_ms: until }) => {
    const read = FIELDS.webhook.secret.read(secret, '', new Faults());
    return typeof read === 'string' && Number.isSafeInteger(until)
      ? { secret: read, until_ms: Number(until) }
      : undefined;
  },
);

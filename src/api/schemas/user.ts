// What may be sent for users, and what is shown of them: never what proves who they are.
import { ROLES } from '../../domain/roles.ts';
import { emailOf, MAX_PASSWORD, MIN_PASSWORD, type User, userState } from '../../domain/user.ts';
import { eid } from '../../kinds/common-fields.ts';
import { type Field, named, oneOf, optional, shown, text } from '../../kinds/field.ts';
import { object, string, time } from './output.ts';

const emailWords = 'an e-mail address, such as ann@example.com';
export const emailField: Field<string> = {
  input: { type: 'string', maxLength: 254, description: emailWords },
  output: { type: 'string', format: 'email' },
  samples: ['ann@example.com'],
  read(value, at, faults) {
    const email = typeof value === 'string' ? emailOf(value) : null;
    if (email !== null) return email;
    faults.add(at, 'text_malformed', `${named(at)} must be ${emailWords}; it was ${shown(value)}.`);
    return undefined;
  },
};

const name = text({ min: 1, max: 100 });
const role = oneOf(ROLES);
export const passwordField = text({
  min: MIN_PASSWORD,
  max: MAX_PASSWORD,
  controls: 'allowed',
  description: 'a password',
});

export const USER_FIELDS = {
  name,
  email: emailField,
  role,
  agent: optional(eid, null),
} as const;
export const USER_CHANGES = {
  name: optional(name, null),
  email: optional(emailField, null),
  role: optional(role, null),
  agent: optional(eid, null),
  disabled: optional(oneOf([true, false], 'whether the user may not sign in'), null),
} as const;
export const OWNER_FIELDS = { name, email: emailField, password: passwordField } as const;
export const OWN_NAME_FIELDS = { name } as const;
export const OWN_PASSWORD_FIELDS = {
  current: optional(text({ min: 1, max: MAX_PASSWORD, controls: 'allowed' }), null),
  password: passwordField,
} as const;
const code = text({ min: 1, max: 512, description: 'the code of a link that was sent to the user' });
export const USER_LINK_FIELDS = { code } as const;
export const ACCEPT_FIELDS = { code, password: passwordField } as const;
/** Several accounts may have a user with one address. */
export const NAMED_ACCOUNT = text({ min: 1, max: 200, description: 'the id or the name of an account' });
export const RESET_FIELDS = { email: emailField, account: optional(NAMED_ACCOUNT, null) } as const;

const state = text({ min: 1, max: 4000, description: 'what the answer before gave as state' });
const response = text({ min: 2, max: 16_000, description: 'what the browser answered, as JSON' });
export const TOTP_CODE_FIELDS = {
  code: text({ min: 1, max: 40, description: 'the code that the app shows' }),
  state: optional(state, null),
} as const;
export const PASSKEY_PROOF_FIELDS = {
  current: optional(text({ min: 1, max: MAX_PASSWORD, controls: 'allowed' }), null),
  state: optional(state, null),
  response: optional(response, null),
} as const;
export const PASSKEY_FIELDS = { name, state, response } as const;
export const PASSKEY_SIGN_IN_FIELDS = { state, response } as const;

export function shownUser(user: User): object {
  const { id, name, email, role, agent, credentials, createdAtMs, lastSignInAtMs } = user;
  return {
    id,
    name,
    email,
    role,
    agent,
    state: userState(user),
    has_password: credentials.password !== null,
    totp: credentials.totp !== null,
    recovery_codes: credentials.recovery.length,
    passkeys: credentials.passkeys.map((key) => ({
      id: key.id,
      name: key.name,
      created_at: new Date(key.createdAtMs).toISOString(),
    })),
    created_at: new Date(createdAtMs).toISOString(),
    last_sign_in_at: lastSignInAtMs === null ? null : new Date(lastSignInAtMs).toISOString(),
  };
}

const success = { Success: { const: true }, Message: string };
const boolean = { type: 'boolean' };
const orNull = { type: ['string', 'null'] };
const user = {
  id: string,
  name: string,
  email: string,
  role: { enum: [...ROLES] },
  agent: orNull,
  state: { enum: ['active', 'invited', 'disabled'] },
  has_password: boolean,
  totp: boolean,
  recovery_codes: { type: 'integer', minimum: 0 },
  passkeys: { type: 'array', items: object({ id: string, name: string, created_at: time }) },
  created_at: time,
  last_sign_in_at: orNull,
};
const link = { path: orNull, mailed: boolean, expires_at: time };

export const USER_SCHEMAS = {
  User: object(user),
  UserCreated: object({ ...success, id: string, ...link }),
  UserLinkCreated: object({ ...success, ...link }),
  UserLink: object({ use: { enum: ['invite', 'reset'] }, name: string, email: string, account: string }),
  TotpBegun: object({ ...success, secret: string, uri: string, state: string }),
  TotpConfirmed: object({ ...success, recovery_codes: { type: 'array', items: string } }),
  PasskeyBegun: object({ ...success, options: string, state: string }),
  OwnUser: object({
    user: { oneOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] },
    sessions: {
      type: 'array',
      items: object({
        id: string,
        browser: string,
        created_at: time,
        last_used_at: orNull,
        current: boolean,
      }),
    },
  }),
};
export const SESSION_USER = { oneOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] };

// What the members of users, their links and what proves them mean.
import type { Catalogue } from '../describe.ts';

export const USERS: Catalogue = {
  User: {
    id: 'The id by which paths and the audit log name the user.',
    name: 'What colleagues call the user; the audit log shows it.',
    email: 'Where the user gets links, and what they sign in with; unique within the account.',
    role: 'What the user may do: docs/roles.md has the table.',
    agent: 'The eid of the agent that the user is. Null: none.',
    state: '`active`; `invited`: has not signed in yet; `disabled`: may not.',
    has_password: 'Whether the user has set a password.',
    totp: 'Whether signing in by password needs a code of an authenticator app.',
    recovery_codes: 'How many recovery codes are left.',
    passkeys: 'The passkeys that sign the user in without a password.',
    'passkeys[].id': 'The id by which it is deleted, as the device gave it.',
    'passkeys[].name': 'What the user called it.',
    'passkeys[].created_at': 'When it was added.',
    created_at: 'When the user was invited.',
    last_sign_in_at: 'When the user last signed in. Null: never.',
    disabled: 'True: the user may not sign in, and sessions and tokens end.',
    path: 'What comes after the address of the service: the page on which the user sets a password. Shown this once. Null: there is a mail server, and the link goes to the mailbox of the user alone.',
    mailed:
      'Whether the link was sent by e-mail. False beside a `path` of null: the account has sent as much as it may.',
    expires_at: 'When the link ends, used or not.',
  },
  UserLinkCreated: {
    path: 'What comes after the address of the service: the page on which the user sets a password. Shown this once. Null: there is a mail server, and the link goes to the mailbox of the user alone.',
    mailed:
      'Whether the link was sent by e-mail. False beside a `path` of null: the account has sent as much as it may.',
    expires_at: 'When the link ends, used or not.',
  },
  UserLink: {
    use: '`invite`: the first password of a new user; `reset`: another one.',
    name: 'The name of the user whom the link is for.',
    email: 'The e-mail address of that user.',
    account: 'What the operator called the account that the user belongs to.',
  },
  OwnerInput: {
    name: 'The name of the owner.',
    email: 'The e-mail address that the owner signs in with.',
    password: 'The password of the owner.',
  },
  ReadUserLinkInput: { code: 'The code of the link, from its address.' },
  RequestResetInput: {
    email: 'The e-mail address of the user whose password is forgotten.',
    account:
      'The id or the name of the account that is meant, where users of several have this e-mail address. Without it the first four get a link.',
  },
  OwnNameInput: { name: 'The name that colleagues and the audit log show.' },
  OwnPasswordInput: {
    current: 'The present password; not needed where there is none.',
    password: 'The password to set, of 10 characters at least.',
  },
  AcceptUserLinkInput: { code: 'The code of the link, from its address.', password: 'The password to set.' },
  TotpBegun: {
    secret: 'The key to type into the app, as base32.',
    uri: 'The same as an otpauth: address, to be shown as a QR code.',
    state: 'To be sent with the first code.',
  },
  TotpConfirmed: {
    recovery_codes:
      'Ten codes, each of which stands once for a code of the app. Shown this once; only their hashes are stored.',
  },
  ConfirmTotpInput: {
    code: 'The code that the app shows now.',
    state: 'What `POST /v1/me/totp` gave as `state`.',
  },
  DeleteTotpInput: {
    code: 'The code that the app shows now, or a recovery code.',
    state: 'Not needed here.',
  },
  PasskeyBegun: {
    options: 'What the WebAuthn interface of the browser takes, as JSON.',
    state: 'To be sent with the answer of the browser.',
  },
  BeginPasskeyInput: {
    current: 'The present password, if the user has one.',
    state: 'Of a user without password: what the challenge for signing in by passkey gave as `state`.',
    response: 'Of a user without password: what a passkey of theirs answered to that challenge, as JSON.',
  },
  PasskeyInput: {
    name: 'What the user calls it.',
    state: 'What the answer before gave as `state`.',
    response: 'What the WebAuthn interface of the browser answered, as JSON.',
  },
  SignInByPasskeyInput: {
    state: 'What the answer before gave as `state`.',
    response: 'What the WebAuthn interface of the browser answered, as JSON.',
  },
  OwnUser: {
    user: 'The user who asks. Null: a token of the account as a whole.',
    sessions: 'The browsers in which the user is signed in.',
    'sessions[].id': 'The id by which the browser is signed out.',
    'sessions[].browser': 'What the browser calls itself.',
    'sessions[].created_at': 'When it was signed in.',
    'sessions[].last_used_at': 'When it was last used, to about half a minute.',
    'sessions[].current': 'Whether it is the browser that asks.',
  },
};

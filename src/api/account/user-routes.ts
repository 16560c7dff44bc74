// Rows of the route table: users, and what each does with the own account.
import { PAGE_QUERY } from '../http/page.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import * as schema from '../schemas/user.ts';
import * as oidc from './oidc.ts';
import * as own from './own-user.ts';
import * as passkeys from './passkeys.ts';
import * as factor from './second-factor.ts';
import * as links from './user-links.ts';
import * as users from './users.ts';

const { list, record, written } = responses;
const made = (name: string) => ({ ...responses.created(name), headers: [] });

// biome-ignore format: each row begins with what it is and does
export const USER_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/users', scope: 'admin', id: 'listUsers', summary: 'List the people who use the account',
    handler: users.listUsers, query: PAGE_QUERY, responses: [list('User')] },
  { method: 'POST', path: '/v1/user', scope: 'admin', id: 'createUser', summary: 'Invite a user',
    handler: users.createUser, body: schema.USER_FIELDS, example: EXAMPLES.user, responses: [made('UserCreated')] },
  { method: 'PATCH', path: '/v1/user/{id}', scope: 'admin', id: 'patchUser', summary: 'Change a user',
    handler: users.patchUser, body: schema.USER_CHANGES, example: { role: 'viewer' }, responses: [written()] },
  { method: 'DELETE', path: '/v1/user/{id}', scope: 'admin', id: 'deleteUser', summary: 'Delete a user',
    handler: users.deleteUser, responses: [written()] },
  { method: 'POST', path: '/v1/user/{id}/link', scope: 'admin', id: 'createUserLink',
    summary: 'Make a link with which a user sets a password',
    handler: users.createUserLink, responses: [made('UserLinkCreated')] },
  { method: 'DELETE', path: '/v1/user/{id}/sessions', scope: 'admin', id: 'endUserSessions',
    summary: "Sign all browsers of a user out",
    handler: users.endUserSessions, responses: [written('SignedOut')] },

  { method: 'POST', path: '/v1/owner', scope: 'admin', id: 'createOwner', summary: 'Make the first user of the account, its owner',
    handler: links.createOwner, body: schema.OWNER_FIELDS, example: EXAMPLES.owner, headers: ['Dialtree-Account'],
    responses: [responses.signedIn] },
  { method: 'POST', path: '/v1/user_link', id: 'readUserLink', summary: 'Whom a link is for, and what it does',
    handler: links.readUserLink, open: true, body: schema.USER_LINK_FIELDS, example: EXAMPLES.userLink, responses: [record('UserLink')] },
  { method: 'POST', path: '/v1/user_link/accept', id: 'acceptUserLink', summary: 'Set a password by a link, and sign in',
    handler: links.acceptUserLink, open: true, body: schema.ACCEPT_FIELDS, example: EXAMPLES.acceptedLink,
    responses: [written(), responses.signedIn] },
  { method: 'POST', path: '/v1/password_reset', id: 'requestReset', summary: 'Ask for an e-mail with a link that sets another password',
    handler: links.requestReset, open: true, body: schema.RESET_FIELDS, example: EXAMPLES.reset, responses: [written()] },

  { method: 'GET', path: '/v1/me', scope: 'any', id: 'getOwnUser', summary: 'Who asks, and which browsers are signed in',
    handler: own.getOwnUser, responses: [record('OwnUser')] },
  { method: 'PUT', path: '/v1/me/name', scope: 'any', id: 'putOwnName', summary: 'Change the own name',
    handler: own.putOwnName, body: schema.OWN_NAME_FIELDS, example: { name: 'Ann' }, responses: [written()] },
  { method: 'PUT', path: '/v1/me/password', scope: 'any', id: 'putOwnPassword', summary: 'Change the own password',
    handler: own.putOwnPassword, body: schema.OWN_PASSWORD_FIELDS, example: EXAMPLES.ownPassword, responses: [written()] },
  { method: 'DELETE', path: '/v1/me/session/{id}', scope: 'any', id: 'endOwnSession',
    summary: 'Sign a browser of the own out; `others` all but this one',
    handler: own.endOwnSession, responses: [written('SignedOut')] },
  { method: 'POST', path: '/v1/me/totp', scope: 'any', id: 'beginTotp', summary: 'Begin to turn the authenticator app on',
    handler: factor.beginTotp, responses: [made('TotpBegun')] },
  { method: 'POST', path: '/v1/me/totp/confirm', scope: 'any', id: 'confirmTotp', summary: 'Turn the authenticator app on, by its first code',
    handler: factor.confirmTotp, body: schema.TOTP_CODE_FIELDS, example: EXAMPLES.totp, responses: [written('TotpConfirmed')] },
  { method: 'POST', path: '/v1/me/totp/off', scope: 'any', id: 'deleteTotp', summary: 'Turn the authenticator app off',
    handler: factor.deleteTotp, body: schema.TOTP_CODE_FIELDS, example: { code: '287082' }, responses: [written()] },
  { method: 'DELETE', path: '/v1/user/{id}/second_factor', scope: 'admin', id: 'resetSecondFactor',
    summary: 'Turn the authenticator app of another user off, who has lost it',
    handler: factor.resetSecondFactor, responses: [written()] },

  { method: 'POST', path: '/v1/me/passkey/challenge', scope: 'any', id: 'beginPasskey', summary: 'What a browser needs to make a passkey',
    handler: passkeys.beginPasskey, body: schema.PASSKEY_PROOF_FIELDS, example: { current: 'correct horse battery' }, responses: [made('PasskeyBegun')] },
  { method: 'POST', path: '/v1/me/passkey', scope: 'any', id: 'createPasskey', summary: 'Add a passkey',
    handler: passkeys.createPasskey, body: schema.PASSKEY_FIELDS, example: EXAMPLES.passkey, responses: [made('Done')] },
  { method: 'DELETE', path: '/v1/me/passkey/{id}', scope: 'any', id: 'deletePasskey', summary: 'Delete a passkey',
    handler: passkeys.deletePasskey, responses: [written()] },
  { method: 'POST', path: '/v1/session/passkey/challenge', id: 'beginPasskeySignIn', summary: 'What a browser needs to use a passkey',
    handler: passkeys.beginPasskeySignIn, open: true, responses: [written('PasskeyBegun')] },
  { method: 'POST', path: '/v1/session/passkey', id: 'signInByPasskey', summary: 'Sign a browser in by a passkey',
    handler: passkeys.signInByPasskey, open: true, body: schema.PASSKEY_SIGN_IN_FIELDS, example: EXAMPLES.passkeySignIn,
    responses: [responses.signedIn] },

  { method: 'GET', path: '/v1/session/oidc', id: 'beginOidc', summary: 'To the OpenID Connect provider',
    handler: oidc.beginOidc, open: true, unlisted: true, responses: [responses.text('text/html', 'A redirect')] },
  { method: 'GET', path: '/v1/session/oidc/callback', id: 'finishOidc', summary: 'Back from the OpenID Connect provider',
    handler: oidc.finishOidc, open: true, unlisted: true, tolerant: true, responses: [responses.text('text/html', 'A redirect')] },
  { method: 'POST', path: '/v1/session/oidc/link', id: 'beginOidcByLink', summary: 'To the OpenID Connect provider, with an invitation',
    handler: oidc.beginOidcByLink, open: true, unlisted: true, body: schema.USER_LINK_FIELDS, example: EXAMPLES.userLink,
    responses: [responses.text('application/json', 'The address of the provider')] },
  { method: 'POST', path: '/v1/session/oidc', id: 'createOidcSession',
    summary: 'Sign a browser in that comes back from the OpenID Connect provider',
    handler: oidc.createOidcSession, open: true, unlisted: true, responses: [responses.signedIn] },
];

// Rows of the route table: browsers that are signed in.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import * as session from './session.ts';
import { CURRENT_FIELDS, SIGN_IN_FIELDS, SIGN_OUT_QUERY } from './session.ts';

const { record, written } = responses;

export const SESSION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/session',
    id: 'getSession',
    summary: 'Which accounts this browser is signed in to',
    handler: session.getSession,
    open: true,
    responses: [record('Session')],
  },
  {
    method: 'POST',
    path: '/v1/session',
    id: 'createSession',
    summary: 'Sign a browser in, by an access token or a one-time link',
    handler: session.createSession,
    open: true,
    body: SIGN_IN_FIELDS,
    example: EXAMPLES.session,
    responses: [responses.signedIn],
  },
  {
    method: 'POST',
    path: '/v1/session/link',
    scope: 'read',
    id: 'createSignInLink',
    summary: 'Make a one-time link that signs a browser in, with what this token may do',
    handler: session.createSignInLink,
    responses: [{ ...responses.created('SignInLink'), headers: [] }],
  },
  {
    method: 'DELETE',
    path: '/v1/sessions',
    scope: 'admin',
    id: 'deleteSessions',
    summary: 'Sign every browser of the account out, and end links that wait',
    handler: session.deleteSessions,
    responses: [written('SignedOut')],
  },
  {
    method: 'POST',
    path: '/v1/session/current',
    scope: 'any',
    id: 'putCurrentSession',
    summary: "Make one of the browser's accounts the current one",
    handler: session.putCurrent,
    body: CURRENT_FIELDS,
    example: EXAMPLES.currentSession,
    headers: ['Dialtree-Account'],
    responses: [written()],
  },
  {
    method: 'DELETE',
    path: '/v1/session',
    scope: 'any',
    id: 'deleteSession',
    summary: 'Sign a browser out',
    handler: session.deleteSession,
    query: SIGN_OUT_QUERY,
    headers: ['Dialtree-Account'],
    responses: [written()],
  },
];

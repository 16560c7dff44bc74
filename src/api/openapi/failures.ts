// Which failures an operation can have, derived from its row of the route table; what only its handler knows is in OWN.
import { PROBLEMS, type ProblemCode } from '../../kinds/problem.ts';
import type { Route } from '../route.ts';

/** Those of any request, whatever it asks for: the answer `default` stands for them. */
export const ANYWHERE: readonly ProblemCode[] = [
  'http_malformed',
  'uri_malformed',
  'method_not_allowed',
  'request_too_slow',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
];

const BODY: readonly ProblemCode[] = [
  'body_malformed',
  'body_not_utf8',
  'body_not_object',
  'body_too_deep',
  'body_too_many_values',
  'fields_invalid',
  'body_too_large',
  'content_type_unsupported',
];
const UPLOAD: readonly ProblemCode[] = [
  'upload_malformed',
  'audio_unsupported',
  'audio_malformed',
  'audio_too_long',
  'url_not_fetched',
  'tts_unavailable',
];
const HEADERS: Readonly<Record<string, readonly ProblemCode[]>> = {
  'Idempotency-Key': ['idempotency_key_malformed', 'idempotency_key_running', 'idempotency_key_reused'],
  'If-Match': ['if_match_malformed', 'version_changed'],
  Range: ['range_not_satisfiable'],
};
const UNAVAILABLE: readonly ProblemCode[] = ['storage_unavailable', 'overloaded', 'starting', 'draining'];

const LIVE: readonly ProblemCode[] = ['record_unknown', 'telephones_off', 'node_unavailable'];
const OPEN_SIGN_IN: readonly ProblemCode[] = [
  'csrf_refused',
  'rate_limited',
  'overloaded',
  'storage_unavailable',
  'storage_full',
];
const OWN: Readonly<Record<string, readonly ProblemCode[]>> = {
  createIvr: ['work_too_large'],
  putIvr: ['work_too_large'],
  patchIvr: ['work_too_large'],
  restoreIvr: ['work_too_large'],
  simulateIvr: ['work_too_large'],
  simulateUnsaved: ['work_too_large'],
  testIvr: ['fields_invalid', 'work_too_large'],
  lintIvr: ['work_too_large'],
  lint: ['work_too_large'],
  checkDraft: ['work_too_large'],
  simulateDraft: ['work_too_large', 'record_unknown'],
  publishDraft: ['draft_empty', 'publish_conflict', 'work_too_large', 'query_invalid'],
  metrics: ['token_invalid'],
  discardDrafted: ['record_unknown'],
  rollBack: ['publish_conflict', 'record_unknown'],
  createTrunk: ['address_taken'],
  putTrunk: ['address_taken'],
  patchTrunk: ['address_taken'],
  exportCallWorkbook: ['overloaded'],
  exportStatisticsWorkbook: ['overloaded'],
  sendReport: ['mail_unavailable', 'rate_limited', 'overloaded'],
  sendTestMail: ['mail_unavailable', 'rate_limited', 'overloaded'],
  createSms: ['sms_rate_limited', 'sms_unavailable'],
  followCalls: ['telephones_off'],
  getLiveState: ['node_unavailable'],
  getAgentState: LIVE,
  pauseAgent: LIVE,
  resumeAgent: LIVE,
  endAgentWrapUp: LIVE,
  signInAgent: LIVE,
  signOutAgent: LIVE,
  hangUpCall: LIVE,
  transferCall: [...LIVE, 'call_not_connected', 'call_consulting', 'call_three_way', 'agent_unavailable'],
  completeTransfer: [...LIVE, 'call_not_connected', 'call_not_consulting', 'call_three_way'],
  cancelTransfer: [...LIVE, 'call_not_consulting'],
  listenIn: [...LIVE, 'call_not_connected', 'call_consulting', 'agent_unavailable', 'outbound_limit_reached'],
  cancelCallback: ['callback_not_waiting'],
  lockRoom: [...LIVE, 'room_empty'],
  unlockRoom: [...LIVE, 'room_empty'],
  muteParticipant: [...LIVE, 'room_empty'],
  unmuteParticipant: [...LIVE, 'room_empty'],
  removeParticipant: [...LIVE, 'room_empty'],
  addParty: [...LIVE, 'call_not_connected', 'call_consulting', 'agent_unavailable', 'outbound_limit_reached'],
  placeCall: [...LIVE, 'outbound_limit_reached'],
  clickToCall: [...LIVE, 'click_to_call_not_applied', 'outbound_limit_reached', 'agent_unavailable'],
  createPhoneSession: LIVE,
  listPhoneSessions: LIVE,
  deletePhoneSession: LIVE,
  createButtonSession: ['telephones_off', 'rate_limited', 'origin_refused'],
  listNodes: ['operator_only'],
  getConfiguration: ['operator_only'],
  patchConfiguration: ['operator_only'],
  drainNode: ['operator_only'],
  resumeNode: ['operator_only'],
  createToken: ['token_limit_reached'],
  createUser: ['key_taken', 'quota_reached', 'record_unknown', 'version_changed'],
  patchUser: ['key_taken', 'last_owner', 'version_changed'],
  deleteUser: ['last_owner', 'version_changed'],
  createUserLink: ['version_changed'],
  createOwner: ['owner_exists', 'key_taken', 'quota_reached', 'link_invalid', 'sign_in_refused'],
  readUserLink: [...OPEN_SIGN_IN, 'link_invalid'],
  acceptUserLink: [...OPEN_SIGN_IN, 'link_invalid', 'sign_in_refused'],
  requestReset: OPEN_SIGN_IN,
  beginTotp: ['record_unknown', 'key_taken'],
  confirmTotp: ['record_unknown', 'key_taken', 'version_changed'],
  deleteTotp: ['record_unknown', 'version_changed', 'rate_limited'],
  resetSecondFactor: ['version_changed'],
  beginPasskey: ['record_unknown', 'rate_limited'],
  createPasskey: ['record_unknown', 'version_changed', 'quota_reached'],
  deletePasskey: ['version_changed'],
  beginPasskeySignIn: ['csrf_refused'],
  signInByPasskey: [...OPEN_SIGN_IN, 'sign_in_refused', 'link_invalid'],
  putOwnName: ['record_unknown'],
  putOwnPassword: ['record_unknown', 'version_changed', 'rate_limited'],
  getSession: ['csrf_refused'],
  createSession: [
    'token_invalid',
    'link_invalid',
    'sign_in_refused',
    'code_needed',
    'csrf_refused',
    'rate_limited',
    'overloaded',
    'storage_unavailable',
  ],
  createSignInLink: ['rate_limited'],
  createProvisioning: ['record_unknown'],
  createPhonebook: ['record_unknown'],
  putCurrentSession: ['record_unknown'],
  readyz: ['storage_full', 'storage_unavailable', 'starting', 'draining'],
  docsAsset: ['path_unknown'],
};

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a field or parameter is wrong',
  401: 'There is no valid access token, or the password or code is wrong',
  403: 'The token may not do this',
  404: 'There is no such record in this account',
  409: 'The request conflicts with what is stored',
  412: 'The record has changed since the ETag in If-Match',
  413: 'The body is too large',
  415: 'The content type is not supported',
  416: 'The file has no such part',
  422: 'The request is well-formed, but cannot be carried out',
  429: 'Too many requests: wait as long as `Retry-After` says',
  501: 'This service is not set up for it',
  503: 'The service cannot answer now: wait as long as `Retry-After` says',
  507: 'The disk of the service is full; nothing was changed',
};

/** The page of a running service that explains a code. */
export const errorPage = (code: string): string => `/docs/errors#${code}`;

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } };
const later = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait before the next try.' },
};

/** Each distinct answer once, under a name made of its codes; an operation refers to it. */
export class FailureResponses {
  readonly responses: Record<string, object> = {};

  of(route: Route): Record<string, object> {
    return Object.fromEntries(
      [...failuresOf(route)].map(([status, codes]) => {
        const name = [`Failure${status}`, ...codes].join('.');
        const links = codes.map((code) => `[\`${code}\`](${errorPage(code)})`).join(', ');
        this.responses[name] = {
          description: `${STATUS_WORDS[status]}. Code: ${links}.`,
          ...(status === 429 || status === 503 ? { headers: later } : {}),
          content,
        };
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    );
  }
}

/** The codes of an operation by status, in the order of the statuses. */
export function failuresOf(route: Route): ReadonlyMap<number, readonly ProblemCode[]> {
  const codes = new Set<ProblemCode>([
    ...(route.body ? BODY : []),
    ...(route.query ? (['query_invalid'] as const) : []),
    ...(route.upload ? UPLOAD : []),
    ...(route.headers ?? []).flatMap((name) => HEADERS[name] ?? []),
    ...(route.path.includes('{') && !route.open ? (['record_unknown'] as const) : []),
    ...guarding(route),
    ...('skip_tests' in (route.query ?? {}) ? (['tests_failed'] as const) : []),
    ...writing(route),
    // A former path fails as the present one does.
    ...(OWN[route.id.replace(/AtFormerPath$/, '')] ?? []),
  ]);
  const statuses = [...new Set([...codes].map((code) => PROBLEMS[code]))].sort((one, other) => one - other);
  return new Map(statuses.map((status) => [status, [...codes].filter((code) => PROBLEMS[code] === status)]));
}

function guarding({ open, scope, method }: Route): ProblemCode[] {
  if (open) return [];
  const forbidden: ProblemCode[] = [
    ...(scope === 'any' ? [] : (['scope_missing'] as const)),
    'role_refused',
    ...(method === 'GET' ? [] : (['csrf_refused'] as const)),
  ];
  return ['token_missing', 'token_invalid', ...forbidden, 'rate_limited', ...UNAVAILABLE];
}

/** What a change of stored records can meet. */
function writing({ id, method, scope, query, body }: Route): ProblemCode[] {
  if (scope !== 'write' && scope !== 'admin')
    return method === 'POST' && scope === 'calls' ? ['storage_full'] : [];
  if (method === 'GET') return [];
  // An id can be chosen for a new record.
  const unique =
    (id.startsWith('create') && body && 'id' in body) ||
    /^(create|put|patch)(Agent|Team|Number|Trunk|BlockedNumber)$/.test(id);
  const storesRecord =
    (scope === 'write' && method !== 'DELETE') ||
    /^(create|put|patch)(Trunk|Webhook|Request|Stream|SipAddress)$/.test(id);
  return [
    'storage_full',
    ...(unique ? (['key_taken'] as const) : []),
    ...(storesRecord ? (['quota_reached'] as const) : []),
    ...(query && 'force' in query ? (['still_referenced'] as const) : []),
  ];
}

// OpenAPI 3.1, made from the route table and from the very fields that validate. docs/openapi.json is a checked-in copy,
// so that a change of the API is seen in review; a test holds the two against each other.

import { SCOPES } from '../domain/account.ts';
import { LINT_CODES } from '../flow/lint/finding.ts';
import { type JsonSchema, outputSchema } from '../kinds/field.ts';
import { FAULTS, PROBLEMS } from '../kinds/problem.ts';
import { AUDIT_ENTRY } from './account/audit.ts';
import { DRAFT_SCHEMAS } from './account/draft.ts';
import { HEALTH_SCHEMAS } from './account/health.ts';
import { PROMPT_SCHEMAS } from './account/prompts.ts';
import { WALLBOARD_FIELDS } from './account/wallboard.ts';
import { AGENT_STATE_SCHEMAS } from './calls/agent-state.ts';
import { PHONEBOOK_OUTPUT } from './calls/phonebook.ts';
import { PROVISIONING_OUTPUT } from './calls/provisioning.ts';
import { TELEPHONY_SCHEMAS } from './calls/telephony.ts';
import { TRUNK_PRESET_SCHEMAS } from './calls/trunk-routes.ts';
import { PATCH_TYPE } from './http/api-request.ts';
import type { ApiResponse } from './http/handler.ts';
import { Bodies, schemaRef } from './openapi/bodies.ts';
import { defaultOf, described, withMeaning } from './openapi/describe.ts';
import { EVENT_SCHEMAS, webhooks } from './openapi/events.ts';
import { ANYWHERE, errorPage, FailureResponses } from './openapi/failures.ts';
import { headerMeaning, meaningOf, operationMeaning, parameterMeaning } from './openapi/meanings.ts';
import { parameterExample } from './openapi/parameter-examples.ts';
import { tagOf, tags } from './openapi/tags.ts';
import { KEPT_SCHEMAS } from './records/kept-routes.ts';
import type { ResponseDoc } from './responses.ts';
import type { Route } from './route.ts';
import { LIMITS_OUTPUT, SETTINGS_FIELDS, USED_OUTPUT } from './schemas/account.ts';
import { CALL_RECORDING_SCHEMAS } from './schemas/call-recording.ts';
import { LIVE_CALL } from './schemas/live-call.ts';
import { LIVE_STATE_SCHEMAS } from './schemas/live-state.ts';
import { NODE_SCHEMAS } from './schemas/node.ts';
import { NOTIFICATION_SCHEMAS } from './schemas/notification.ts';
import {
  AGENT_DETAILS,
  AGENT_OUTPUT,
  CALL_DETAILS,
  CALL_OUTPUT,
  object,
  STAMPS,
  string,
  time,
} from './schemas/output.ts';
import { PHONE_SESSION_SCHEMAS } from './schemas/phone-session.ts';
import { QUEUE_SCHEMAS } from './schemas/queue.ts';
import { RECORDING_SCHEMAS } from './schemas/recording.ts';
import { ROOM_SCHEMAS } from './schemas/room.ts';
import { STEP, TRACE } from './schemas/scenario.ts';
import { KIND_SCHEMAS, shownMembers } from './schemas/shown-kinds.ts';
import { SMS_SCHEMAS } from './schemas/sms.ts';
import { STATISTICS_SCHEMAS } from './schemas/statistics.ts';
import { TIME_GROUP_SCHEMAS } from './schemas/time-group.ts';
import { trunkOutput } from './schemas/trunk.ts';
import { SESSION_USER, USER_SCHEMAS } from './schemas/user.ts';
import { WEBHOOK_SCHEMAS } from './schemas/webhook.ts';

const success = { Success: { const: true }, Message: string };
const fault = { Pointer: string, Code: { enum: FAULTS }, Message: string };

const finding = {
  code: { enum: LINT_CODES },
  severity: { enum: ['warning', 'error'] },
  node: string,
  pointer: string,
  message: string,
};
const scopes = { type: 'array', items: { enum: SCOPES } };
const account = { id: string, name: string };
const warning = object({ pointer: string, code: string, message: string });
const trunk = { id: string, ...trunkOutput(), ...STAMPS };
const testResult = {
  name: string,
  passed: { type: 'boolean' },
  differences: { type: 'array', items: string },
};

const referrers = { type: 'array', items: object({ kind: string, id: string, name: string }) };

export const SCHEMAS: Record<string, JsonSchema> = {
  Done: object(success),
  Deleted: object(success, {
    RemovedFrom: { ...referrers, description: 'forced: records whose lists had it, and have it no longer' },
    ReferencedBy: { ...referrers, description: 'forced: records that still refer to it, one by one' },
  }),
  Created: object({ ...success, id: string }),
  ...PHONE_SESSION_SCHEMAS,
  CallCreated: object({ ...success, id: string, call_id: string }),
  Transferred: object({ ...success }, { consultation: string }),
  TeamCreated: object({ ...success, id: { type: 'integer' } }),
  AgentCreated: object({ ...success, id: string, eid: string, intercom: string }, { sip_password: string }),
  WithPassword: object(success, { sip_password: string }),
  TokenCreated: object({
    ...success,
    id: string,
    token: string,
    expires_at: { type: ['string', 'null'] },
    scopes,
  }),
  Failure: object(
    { Success: { const: false }, Message: string, Code: { enum: Object.keys(PROBLEMS) }, RequestId: string },
    {
      Errors: { type: 'array', items: object(fault) },
      Tests: { type: 'array', items: object(testResult) },
      Scope: { enum: SCOPES },
      ReferencedBy: referrers,
    },
  ),
  ...KIND_SCHEMAS,
  IvrWithWarnings: object({
    id: string,
    ...shownMembers('ivr'),
    ...STAMPS,
    warnings: { type: 'array', items: object(finding) },
  }),
  Agent: object(AGENT_OUTPUT),
  Agents: { type: 'array', items: { $ref: '#/components/schemas/Agent' } },
  StampedAgent: object({ ...AGENT_OUTPUT, ...AGENT_DETAILS, ...STAMPS }),
  Trunk: object(trunk),
  TrunkWithWarnings: object({ ...trunk, warnings: { type: 'array', items: warning } }),
  ...RECORDING_SCHEMAS,

  ...TIME_GROUP_SCHEMAS,
  ...ROOM_SCHEMAS,
  ...CALL_RECORDING_SCHEMAS,
  ...SMS_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...STATISTICS_SCHEMAS,
  ...QUEUE_SCHEMAS,
  ...AGENT_STATE_SCHEMAS,
  ...NOTIFICATION_SCHEMAS,
  Wallboard: outputSchema(WALLBOARD_FIELDS),
  ...LIVE_STATE_SCHEMAS,
  ...HEALTH_SCHEMAS,
  ...PROMPT_SCHEMAS,

  ...NODE_SCHEMAS,
  LiveCall: LIVE_CALL,

  Session: object({
    accounts: {
      type: 'array',
      items: object({
        ...account,
        current: { type: 'boolean' },
        operator: { type: 'boolean' },
        user: SESSION_USER,
        owner_missing: { type: 'boolean' },
      }),
    },
    email_resets: { type: 'boolean' },
    oidc: { type: ['string', 'null'] },
  }),
  SignedIn: object({ ...success, account: object(account) }),
  SignInLink: object({ ...success, code: string, path: string, expires_at: string }),
  Provisioning: object({ ...success, ...PROVISIONING_OUTPUT }),
  Phonebook: object({ ...success, ...PHONEBOOK_OUTPUT }),
  SignedOut: object({ ...success, browsers: { type: 'integer' } }),
  ...TELEPHONY_SCHEMAS,
  ...TRUNK_PRESET_SCHEMAS,

  ...USER_SCHEMAS,

  AuditEntry: AUDIT_ENTRY,
  ...KEPT_SCHEMAS,
  ...DRAFT_SCHEMAS,

  CallSummary: object(CALL_OUTPUT),
  CallRecord: object({ ...CALL_OUTPUT, steps: { type: 'array', items: STEP } }, CALL_DETAILS),
  Token: object({
    id: string,
    name: string,
    scopes,
    parent_id: { type: ['string', 'null'], description: 'the token that it was made with, and ends with' },
    created_at: time,
    expires_at: { type: ['string', 'null'] },
    last_used_at: { type: ['string', 'null'] },
    user_id: { type: ['string', 'null'], description: 'whose it is; null: of the account as a whole' },
    user_name: { type: ['string', 'null'] },
  }),
  Findings: object({ data: { type: 'array', items: object(finding) } }),
  Trace: TRACE,
  TestResults: object({ data: { type: 'array', items: object(testResult, { trace: TRACE }) } }),
  Settings: outputSchema(SETTINGS_FIELDS),
  Limits: object({ ...LIMITS_OUTPUT, used: object(USED_OUTPUT) }),
  Health: object({ status: string }),
  Readiness: object({
    status: string,
    warnings: { type: 'array', items: object({ code: string, message: string }) },
  }),
};

function parametersOf(route: Route): object[] {
  const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: string,
    description: parameterMeaning(route.id, name),
    example: parameterExample(route.path, name),
  }));
  const queries = Object.entries(route.query ?? {}).map(([name, field]) => {
    const meaning = parameterMeaning(route.id, name);
    const { description, ...schema } = withMeaning(field.input, meaning && meaning + defaultOf(field));
    const deprecated = field.input['deprecated'] ? { deprecated: true } : {};
    return { name, in: 'query', ...deprecated, schema, description };
  });
  const headers = (route.headers ?? []).map((name) => ({
    name,
    in: 'header',
    schema: string,
    description: headerMeaning(name),
  }));
  return [...placeholders, ...queries, ...headers];
}

function contentOf(response: ResponseDoc): object {
  const type = response.contentType ?? 'application/json';
  if (!response.schema) return response.contentType ? { content: { [type]: {} } } : {};
  const named = schemaRef(response.schema);
  const page = object(
    {
      data: { type: 'array', items: named, description: 'The records of this page.' },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Send it as `cursor` to get the next page; null on the last page.',
      },
    },
    response.members,
  );
  if (response.list) return { content: { [type]: { schema: page } } };
  const schema = response.record ? { anyOf: [named, schemaRef(response.record)] } : named;
  return { content: { [type]: { schema } } };
}

/** The body is the file itself. */
const SOUND_FILE: JsonSchema = {
  type: 'string',
  contentMediaType: 'audio/*',
  description: 'WAV, FLAC, MP3, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)',
};

function bodyOf(route: Route, bodies: Bodies): object {
  if (!route.body) return {};
  const example = route.example ? { example: route.example } : {};
  const schema = route.method === 'PATCH' ? bodies.patch(route, route.body) : bodies.json(route, route.body);
  const json = { schema, ...example };
  const content = {
    ...(route.method === 'PATCH' ? { [PATCH_TYPE]: json } : {}),
    'application/json': json,
    ...(route.upload
      ? {
          'multipart/form-data': { schema: bodies.form(route, route.body) },
          'audio/*': { schema: SOUND_FILE },
        }
      : {}),
  };
  return { requestBody: { required: true, content } };
}

function responsesOf(route: Route): Record<string, object> {
  const entries = route.responses.map((response) => {
    const applied = response.record ? ['Location', 'Preference-Applied'] : [];
    const names = new Set([...(response.headers ?? []), ...applied]);
    const headers = Object.fromEntries(
      [...names].map((name) => [name, { schema: string, description: headerMeaning(name) }]),
    );
    return [response.status, { description: response.description, headers, ...contentOf(response) }];
  });
  return Object.fromEntries(entries);
}

/** The scopes of which the token needs one. */
const securityOf = ({ open, scope, orDraft }: Route): object[] =>
  open ? [] : [scope === 'any' ? [] : [scope], ...(orDraft ? [['draft']] : [])].map((token) => ({ token }));

function operationOf(route: Route, bodies: Bodies, failures: FailureResponses): object {
  return {
    operationId: route.id,
    summary: route.summary,
    description: operationMeaning(route),
    tags: [tagOf(route)],
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...bodyOf(route, bodies),
    responses: {
      ...responsesOf(route),
      ...failures.of(route),
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

const links = ANYWHERE.map((code) => `[\`${code}\`](${errorPage(code)})`).join(', ');
const FAILURE = {
  description: `Any other failure, with the same body: ${links}.`,
  content: { 'application/json': { schema: schemaRef('Failure') } },
};

export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  const bodies = new Bodies();
  const failures = new FailureResponses();
  for (const route of routes) {
    if (route.unlisted) continue;
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(route, bodies, failures);
    paths[route.path] = path;
  }
  const schemas = Object.entries({ ...SCHEMAS, ...bodies.schemas, ...EVENT_SCHEMAS }).map(
    ([name, schema]) => {
      const fields = bodies.fields.get(name);
      const lookUp = (at: string) => {
        const [meaning, field] = [meaningOf(name, at), fields?.[at]];
        return meaning && field ? meaning + defaultOf(field) : meaning;
      };
      return [name, described(schema, lookUp)] as const;
    },
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dialtree',
      version: '1',
      description:
        'POST a menu, and callers hear it. Every failure has the same body; [/docs/errors](/docs/errors) explains each `Code`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    tags: tags(),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token, made with `dialtree token create` or POST /v1/token. It belongs to one account.',
        },
      },
      schemas: Object.fromEntries(schemas.toSorted(([one], [other]) => (one < other ? -1 : 1))),
      responses: { Failure: FAILURE, ...failures.responses },
    },
  };
}

/** Bytes, which all responses share. */
let written: Buffer | undefined;

export function openApi(routes: readonly Route[]): ApiResponse {
  written ??= Buffer.from(JSON.stringify(openApiDocument(routes)));
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, bytes: written };
}

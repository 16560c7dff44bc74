// Every route of the API. openapi.ts makes the OpenAPI document from this table, in its order. collection() adds the
// six rows of a kind of record: list, create, read, replace, change, delete; the paths are in kinds/kinds.ts. A kind needs a line here where its rows differ.

import { RECORDS } from '../kinds/records.ts';
import { SCENARIO_FIELDS } from '../kinds/scenario.ts';
import { AUDIT_QUERY, listAudit } from './account/audit.ts';
import { DRAFT_ROUTES } from './account/draft-routes.ts';
import { HEALTH_ROUTES } from './account/health.ts';
import * as nodes from './account/nodes.ts';
import { NOTIFICATION_ROUTES } from './account/notification-routes.ts';
import { PROMPT_ROUTES } from './account/prompts.ts';
import { REPORT_ROUTES } from './account/report-routes.ts';
import { SESSION_ROUTES } from './account/session-routes.ts';
import * as settings from './account/settings.ts';
import * as token from './account/token.ts';
import { USER_ROUTES } from './account/user-routes.ts';
import { CALL_CONTROL_ROUTES } from './call-control-routes.ts';
import { AGENT_STATE_ROUTES } from './calls/agent-state-routes.ts';
import { CALLS_QUERY, getCallRecord, listCallRecords } from './calls/call-record.ts';
import { CALL_CSV_QUERY, exportCallRecords } from './calls/call-record-csv.ts';
import * as callRecording from './calls/call-recording.ts';
import { getIvrLint, getLint } from './calls/lint.ts';
import * as live from './calls/live-call.ts';
import { LIVE_STATE_ROUTES } from './calls/live-state.ts';
import { PROVISIONING_ROUTES } from './calls/provisioning-routes.ts';
import { simulateIvr, simulateUnsaved, TRACE_QUERY, testIvr } from './calls/simulate.ts';
import * as sms from './calls/sms.ts';
import { getIvrStatistics, getStatistics, listIvrStatistics } from './calls/statistics.ts';
import { getTelephony, listPhones } from './calls/telephony.ts';
import { TESTS_QUERY } from './calls/test-gate.ts';
import { TRUNK_ROUTES } from './calls/trunk-routes.ts';
import * as delivery from './calls/webhook-delivery.ts';
import { FLOW_LOGIC_ROUTES } from './flow-logic-routes.ts';
import { withFormerPaths } from './former-paths.ts';
import { PAGE_QUERY } from './http/page.ts';
import { represented } from './http/prefer.ts';
import { openApi } from './openapi.ts';
import { CONSOLE_ROUTES } from './pages/console-routes.ts';
import { docsAsset, docsErrors, docsPage } from './pages/docs.ts';
import * as health from './pages/health.ts';
import { blockAgent, listAgents, putAgent, renewSipPassword, unblockAgent } from './records/agent.ts';
import { AGENTS_QUERY, listAgentsV2 } from './records/agents-v2.ts';
import { COLLECTIONS } from './records/collections.ts';
import { creating } from './records/creation.ts';
import { KEPT_ROUTES } from './records/kept-routes.ts';
import * as recording from './records/recording.ts';
import { FORCE_QUERY } from './records/referrers.ts';
import { getTimeGroup } from './records/time-group.ts';
import { deleteVoicemailBox } from './records/voicemail-box.ts';
import { renewWebhookSecret } from './records/webhook.ts';
import { responses } from './responses.ts';
import { ROOM_ROUTES } from './room-routes.ts';
import { collection, type Route, versions, withOtherKinds } from './route.ts';
import { SETTINGS_FIELDS, TOKEN_FIELDS } from './schemas/account.ts';
import { CALL_RECORDING_QUERY, VOICEMAIL_QUERY } from './schemas/call-recording.ts';
import { EXAMPLES } from './schemas/examples.ts';
import { IVR_BODY, NEW_IVR_FIELDS } from './schemas/ivr.ts';
import * as liveCall from './schemas/live-call.ts';
import { AUDIO_QUERY, RECORDING_FIELDS, RECORDING_QUERY, WAVEFORM_QUERY } from './schemas/recording.ts';
import { DELIVERY_FIELDS, SMS_FIELDS, SMS_QUERY } from './schemas/sms.ts';
import { IVRS_STATISTICS_QUERY, STATISTICS_QUERY } from './schemas/statistics.ts';
import { TIME_GROUP_QUERY } from './schemas/time-group.ts';
import { DELIVERIES_QUERY, REPLAY_FIELDS } from './schemas/webhook.ts';

const once = ['Idempotency-Key', 'Prefer'] as const;
const reads = ['If-None-Match'] as const;
const writes = ['If-Match', 'Prefer'] as const;
const prefers = ['Prefer'] as const;
const plays = ['If-None-Match', 'Range'] as const;
const { created, written, list, record, text, unchanged } = responses;
const wav = [responses.file('audio/wav'), responses.part('audio/wav'), unchanged];

export const ROUTES: readonly Route[] = withFormerPaths(
  withOtherKinds([
    // The specification's two operations.
    {
      method: 'POST',
      path: '/v1/ivr',
      scope: 'write',
      id: 'createIvr',
      summary: 'Create an IVR',
      handler: creating(COLLECTIONS.ivr),
      body: NEW_IVR_FIELDS,
      example: RECORDS.ivr.example,
      query: TESTS_QUERY,
      headers: once,
      tolerant: true,
      orDraft: true,
      responses: [created('Done', 'IvrWithWarnings')],
    },
    {
      method: 'GET',
      path: '/v1/agents',
      scope: 'read',
      id: 'listAgents',
      summary: 'List all agents',
      handler: listAgents,
      deprecated: true,
      tolerant: true,
      headers: reads,
      responses: [responses.agents, unchanged],
    },

    ...collection('ivr', {
      create: false,
      read: { summary: 'Read an IVR and its warnings' },
    }),
    ...versions('ivr', "List an IVR's versions, newest first"),
    {
      method: 'POST',
      path: '/v1/ivr/{id}/simulate',
      scope: 'read',
      id: 'simulateIvr',
      summary: 'Call an IVR without a phone',
      handler: simulateIvr,
      body: SCENARIO_FIELDS,
      example: EXAMPLES.scenario,
      responses: [record('Trace')],
    },
    {
      method: 'POST',
      path: '/v1/simulate',
      scope: 'read',
      id: 'simulateUnsaved',
      summary: 'Call an IVR that is not stored',
      handler: simulateUnsaved,
      body: { ivr: IVR_BODY, ...SCENARIO_FIELDS },
      example: { ivr: RECORDS.ivr.example, ...EXAMPLES.scenario },
      responses: [record('Trace')],
    },
    {
      method: 'GET',
      path: '/v1/ivr/{id}/lint',
      scope: 'read',
      id: 'lintIvr',
      summary: 'What will annoy callers of an IVR',
      handler: getIvrLint,
      responses: [record('Findings')],
    },
    {
      method: 'GET',
      path: '/v1/lint',
      scope: 'read',
      id: 'lint',
      summary: 'The same for all records',
      handler: getLint,
      responses: [record('Findings')],
    },
    {
      method: 'POST',
      path: '/v1/ivr/{id}/test',
      scope: 'read',
      id: 'testIvr',
      summary: 'Run the tests that an IVR carries; trace=0 adds the trace of the first one',
      handler: testIvr,
      query: TRACE_QUERY,
      responses: [record('TestResults')],
    },

    ...collection('agent', {
      list: {
        summary: 'List agents in pages, filtered and sorted',
        handler: listAgentsV2,
        query: AGENTS_QUERY,
      },
      create: {
        summary: 'Create an agent; the SIP password is shown once',
        responses: [created('AgentCreated')],
      },
      read: { responses: [record('StampedAgent'), unchanged] },
      replace: { handler: putAgent, query: FORCE_QUERY, responses: [written('WithPassword')] },
    }),
    {
      method: 'POST',
      path: '/v1/agent/{eid}/block',
      scope: 'write',
      id: 'blockAgent',
      summary: 'Block an agent: no call is offered',
      handler: blockAgent,
      query: TESTS_QUERY,
      headers: writes,
      responses: [written('Done', 'StampedAgent')],
    },
    {
      method: 'POST',
      path: '/v1/agent/{eid}/unblock',
      scope: 'write',
      id: 'unblockAgent',
      summary: 'Unblock an agent',
      handler: unblockAgent,
      query: TESTS_QUERY,
      headers: writes,
      responses: [written('Done', 'StampedAgent')],
    },
    {
      method: 'POST',
      path: '/v1/agent/{eid}/sip_password',
      scope: 'write',
      id: 'renewSipPassword',
      summary: 'Make a new SIP password, shown once',
      handler: renewSipPassword,
      headers: writes,
      responses: [written('WithPassword', 'StampedAgent')],
    },
    ...PROVISIONING_ROUTES,

    ...AGENT_STATE_ROUTES,

    ...collection('team', {
      create: { responses: [created('TeamCreated')] },
      delete: { summary: 'Delete a team without agents' },
    }),
    ...collection('department'),
    ...collection('number', {
      create: { summary: 'Create a number that callers dial' },
      delete: { summary: 'Delete a number' },
    }),
    ...collection('trunk', {
      create: { summary: 'Create a trunk to the telephone network' },
      read: { summary: 'Read a trunk and its warnings' },
      replace: {
        summary: 'Replace a trunk; without a password the stored one stays',
      },
      delete: { summary: 'Delete a trunk' },
    }),
    ...TRUNK_ROUTES,

    ...collection('recording', {
      body: RECORDING_FIELDS,
      upload: true,
      create: {
        summary: 'Create a recording from a file, a URL, a text to be spoken or another recording',
        handler: recording.createRecording,
        query: RECORDING_QUERY,
        orDraft: true,
        responses: [created('RecordingCreated')],
      },
      read: { summary: 'Read a recording and its warnings' },
      replace: {
        summary: 'Replace a recording; its sound stays unless another is sent, the former version is kept',
        handler: recording.putRecording,
        query: RECORDING_QUERY,
        responses: [written('RecordingWritten')],
      },
      patch: { handler: recording.patchRecording, query: RECORDING_QUERY, upload: true },
      delete: { handler: recording.deleteRecording },
    }),
    {
      method: 'GET',
      path: '/v1/recording/{id}/audio',
      scope: 'read',
      id: 'getRecordingAudio',
      summary: 'Hear a recording, as WAV',
      handler: recording.getRecordingAudio,
      query: AUDIO_QUERY,
      headers: plays,
      responses: wav,
    },
    {
      method: 'GET',
      path: '/v1/recording/{id}/waveform',
      scope: 'read',
      id: 'getRecordingWaveform',
      summary: 'The outline of a recording, for drawing',
      handler: recording.getRecordingWaveform,
      query: WAVEFORM_QUERY,
      headers: reads,
      responses: [record('Waveform'), unchanged],
    },
    ...versions('recording', "List a recording's versions, newest first"),

    ...collection('timegroup', {
      read: {
        summary: 'Read a time group: is it open, and until when?',
        handler: getTimeGroup,
        query: TIME_GROUP_QUERY,
        responses: [record('TimeGroupWithChange'), unchanged],
      },
    }),
    ...collection('announcement'),
    ...collection('voicemail', {
      delete: { handler: deleteVoicemailBox },
    }),
    ...ROOM_ROUTES,
    ...FLOW_LOGIC_ROUTES,
    ...collection('blocked_number', {
      create: { summary: 'Block a number, all that begin alike, or withheld ones' },
      delete: { summary: 'Delete a blocked number' },
    }),
    ...collection('caller_id_rule', {
      create: { summary: 'Say which number outgoing calls show' },
      delete: { summary: 'Delete a caller-id rule' },
    }),

    {
      method: 'GET',
      path: '/v1/voicemails',
      scope: 'read',
      id: 'listVoicemails',
      summary: 'List voicemail messages, newest first',
      handler: callRecording.listVoicemails,
      query: VOICEMAIL_QUERY,
      responses: [list('Voicemail')],
    },
    {
      method: 'GET',
      path: '/v1/voicemail/{id}',
      scope: 'read',
      id: 'getVoicemail',
      summary: 'Read what is known of a voicemail message',
      handler: callRecording.getVoicemail,
      responses: [record('Voicemail')],
    },
    {
      method: 'GET',
      path: '/v1/voicemail/{id}/audio',
      scope: 'read',
      id: 'getVoicemailAudio',
      summary: 'Hear a voicemail message, as WAV',
      handler: callRecording.getVoicemailAudio,
      headers: plays,
      responses: wav,
    },
    {
      method: 'POST',
      path: '/v1/voicemail/{id}/heard',
      scope: 'write',
      id: 'markVoicemailHeard',
      summary: 'Mark a voicemail message as heard',
      handler: represented(callRecording.markHeard, callRecording.getVoicemail),
      headers: prefers,
      responses: [written('Done', 'Voicemail')],
    },
    {
      method: 'POST',
      path: '/v1/voicemail/{id}/unheard',
      scope: 'write',
      id: 'markVoicemailUnheard',
      summary: 'Mark a voicemail message as not heard',
      handler: represented(callRecording.markUnheard, callRecording.getVoicemail),
      headers: prefers,
      responses: [written('Done', 'Voicemail')],
    },
    {
      method: 'DELETE',
      path: '/v1/voicemail/{id}',
      scope: 'write',
      id: 'deleteVoicemail',
      summary: 'Delete a voicemail message and its sound',
      handler: callRecording.deleteVoicemail,
      responses: [written()],
    },
    {
      method: 'GET',
      path: '/v1/call/recordings',
      scope: 'read',
      id: 'listCallRecordings',
      summary: 'List recorded calls, newest first',
      handler: callRecording.listCallRecordings,
      query: CALL_RECORDING_QUERY,
      responses: [list('CallRecording')],
    },
    {
      method: 'GET',
      path: '/v1/call/recording/{id}',
      scope: 'read',
      id: 'getCallRecording',
      summary: 'Read what is known of a recorded call',
      handler: callRecording.getCallRecording,
      responses: [record('CallRecording')],
    },
    {
      method: 'GET',
      path: '/v1/call/recording/{id}/audio',
      scope: 'read',
      id: 'getCallRecordingAudio',
      summary: 'Hear a recorded call, as WAV: left the caller, right the called side',
      handler: callRecording.getCallRecordingAudio,
      headers: plays,
      responses: wav,
    },
    {
      method: 'DELETE',
      path: '/v1/call/recording/{id}',
      scope: 'write',
      id: 'deleteCallRecording',
      summary: 'Delete a recorded call: its sound, not its record',
      handler: callRecording.deleteCallRecording,
      responses: [written()],
    },

    ...collection('sms_template', {
      delete: { summary: 'Delete an SMS template that no IVR uses' },
    }),
    {
      method: 'GET',
      path: '/v1/sms',
      scope: 'read',
      id: 'listSms',
      summary: 'List SMS, newest first',
      handler: sms.listSms,
      query: SMS_QUERY,
      responses: [list('Sms')],
    },
    {
      method: 'POST',
      path: '/v1/sms',
      scope: 'calls',
      id: 'createSms',
      summary: 'Send an SMS',
      handler: represented(sms.createSms, sms.getSms),
      body: SMS_FIELDS,
      example: EXAMPLES.sms,
      headers: once,
      responses: [created('Created', 'Sms')],
    },
    {
      method: 'GET',
      path: '/v1/sms/{id}',
      scope: 'read',
      id: 'getSms',
      summary: 'Read an SMS and what became of it',
      handler: sms.getSms,
      responses: [record('Sms')],
    },
    {
      method: 'POST',
      path: '/v1/sms/{id}/delivery',
      scope: 'calls',
      id: 'reportSms',
      summary: 'Tell what became of an SMS, for gateways',
      handler: represented(sms.reportSms, sms.getSms),
      body: DELIVERY_FIELDS,
      example: EXAMPLES.delivery,
      headers: prefers,
      responses: [written('Done', 'Sms')],
    },

    ...collection('webhook', {
      create: {
        summary: 'Create a webhook; a secret that is made is shown once',
        responses: [created('WebhookCreated')],
      },
      read: { summary: 'Read a webhook and its warnings' },
      replace: { summary: 'Replace a webhook; without a secret the stored one stays' },
      delete: { summary: 'Delete a webhook that nothing points to; what waits for it is given up' },
    }),
    {
      method: 'POST',
      path: '/v1/webhook/{id}/secret',
      scope: 'write',
      id: 'renewWebhookSecret',
      summary: 'Make a new secret, shown once; the former one signs too for a day',
      handler: renewWebhookSecret,
      headers: writes,
      responses: [written('WithSecret', 'WebhookWithWarnings')],
    },
    {
      method: 'POST',
      path: '/v1/webhook/{id}/test',
      scope: 'write',
      id: 'testWebhook',
      summary: 'Send a ping to a webhook',
      handler: delivery.testWebhook,
      responses: [written('DeliveryQueued')],
    },
    {
      method: 'GET',
      path: '/v1/webhook/{id}/deliveries',
      scope: 'read',
      id: 'listDeliveries',
      summary: 'List what was or will be sent to a webhook, newest first',
      handler: delivery.listDeliveries,
      query: DELIVERIES_QUERY,
      responses: [list('Delivery')],
    },
    {
      method: 'GET',
      path: '/v1/webhook/{id}/delivery/{delivery}',
      scope: 'read',
      id: 'getDelivery',
      summary: 'Read a delivery with its body',
      handler: delivery.getDelivery,
      responses: [record('DeliveryWithBody')],
    },
    {
      method: 'POST',
      path: '/v1/webhook/{id}/replay',
      scope: 'write',
      id: 'replayWebhook',
      summary: 'Send one delivery or those of a span of time again, with the same event ids',
      handler: delivery.replayWebhook,
      body: REPLAY_FIELDS,
      example: EXAMPLES.replay,
      responses: [written('Replayed')],
    },

    {
      method: 'GET',
      path: '/v1/call/records.csv',
      scope: 'read',
      id: 'exportCallRecords',
      summary: 'All calls that the filters find, as CSV',
      handler: exportCallRecords,
      query: CALL_CSV_QUERY,
      responses: [text('text/csv', 'RFC 4180, with a header line')],
    },
    ...REPORT_ROUTES,
    {
      method: 'GET',
      path: '/v1/ivr/{id}/statistics',
      scope: 'read',
      id: 'getIvrStatistics',
      summary: 'What callers did in an IVR, by day or hour',
      handler: getIvrStatistics,
      query: STATISTICS_QUERY,
      responses: [record('MenuStatistics')],
    },
    {
      method: 'GET',
      path: '/v1/statistics',
      scope: 'read',
      id: 'getStatistics',
      summary: 'Calls, agents and departments, by day or hour',
      handler: getStatistics,
      query: STATISTICS_QUERY,
      responses: [record('CallStatistics')],
    },
    {
      method: 'GET',
      path: '/v1/statistics/ivrs',
      scope: 'read',
      id: 'listIvrStatistics',
      summary: 'What callers did in every IVR, most visited first',
      handler: listIvrStatistics,
      query: IVRS_STATISTICS_QUERY,
      responses: [record('IvrsStatistics')],
    },

    {
      method: 'GET',
      path: '/v1/live_calls',
      scope: 'read',
      id: 'listLiveCalls',
      summary: 'List the calls that live now',
      handler: live.listLiveCalls,
      query: liveCall.LIVE_CALLS_QUERY,
      responses: [list('LiveCall', liveCall.PARTIAL)],
    },
    {
      method: 'GET',
      path: '/v1/live_calls/events',
      scope: 'read',
      id: 'followCalls',
      summary: 'Follow calls by server-sent events; Last-Event-ID goes on where a broken connection was',
      handler: live.followCalls,
      headers: ['Last-Event-ID'],
      responses: [text('text/event-stream', 'A snapshot, then each piece of news')],
    },
    ...LIVE_STATE_ROUTES,
    ...HEALTH_ROUTES,
    ...PROMPT_ROUTES,
    ...CALL_CONTROL_ROUTES,

    {
      method: 'GET',
      path: '/v1/nodes',
      scope: 'admin',
      id: 'listNodes',
      summary: 'List the processes that run this service',
      handler: nodes.listNodes,
      responses: [list('Node')],
    },
    {
      method: 'POST',
      path: '/v1/node/{id}/drain',
      scope: 'admin',
      id: 'drainNode',
      summary: 'Let a node take no new calls',
      handler: nodes.drainNode,
      responses: [written()],
    },
    {
      method: 'POST',
      path: '/v1/node/{id}/resume',
      scope: 'admin',
      id: 'resumeNode',
      summary: 'Let a node take calls again',
      handler: nodes.resumeNode,
      responses: [written()],
    },

    ...KEPT_ROUTES,
    ...DRAFT_ROUTES,
    {
      method: 'GET',
      path: '/v1/audit',
      scope: 'admin',
      id: 'listAudit',
      summary: 'List who changed what, newest first',
      handler: listAudit,
      query: AUDIT_QUERY,
      responses: [list('AuditEntry')],
    },
    {
      method: 'GET',
      path: '/v1/call/records',
      scope: 'read',
      id: 'listCallRecords',
      summary: 'List calls that are over, newest first',
      handler: listCallRecords,
      query: CALLS_QUERY,
      responses: [list('CallSummary')],
    },
    {
      method: 'GET',
      path: '/v1/call/record/{id}',
      formerly: '/v1/call/records/{id}',
      scope: 'read',
      id: 'getCallRecord',
      summary: 'Read a call with every step',
      handler: getCallRecord,
      responses: [record('CallRecord')],
    },

    {
      method: 'GET',
      path: '/v1/tokens',
      scope: 'admin',
      id: 'listTokens',
      summary: 'List access tokens: of the account, or of the asking user',
      handler: token.listTokens,
      query: PAGE_QUERY,
      responses: [list('Token')],
    },
    {
      method: 'POST',
      path: '/v1/token',
      scope: 'admin',
      id: 'createToken',
      summary: 'Create an access token, shown once',
      handler: token.createToken,
      body: TOKEN_FIELDS,
      example: EXAMPLES.token,
      headers: prefers,
      responses: [created('TokenCreated', 'Token')],
    },
    {
      method: 'DELETE',
      path: '/v1/token/{id}',
      scope: 'admin',
      id: 'revokeToken',
      summary: 'Revoke an access token',
      handler: token.revokeToken,
      responses: [written()],
    },

    ...NOTIFICATION_ROUTES,

    ...SESSION_ROUTES,
    ...USER_ROUTES,
    {
      method: 'GET',
      path: '/v1/telephony',
      scope: 'read',
      id: 'getTelephony',
      summary: 'Where telephones register',
      handler: getTelephony,
      responses: [record('Telephony')],
    },
    {
      method: 'GET',
      path: '/v1/agent/{eid}/phones',
      scope: 'read',
      id: 'listPhones',
      summary: 'Telephones that are registered for an agent',
      handler: listPhones,
      responses: [record('Phones')],
    },
    {
      method: 'GET',
      path: '/v1/settings',
      scope: 'read',
      id: 'getSettings',
      summary: "Read the account's settings",
      handler: settings.getSettings,
      headers: reads,
      responses: [record('Settings'), unchanged],
    },
    {
      method: 'PUT',
      path: '/v1/settings',
      scope: 'admin',
      id: 'putSettings',
      summary: 'Replace the settings; those not sent get their defaults',
      handler: settings.putSettings,
      query: TESTS_QUERY,
      body: SETTINGS_FIELDS,
      example: EXAMPLES.settings,
      headers: writes,
      responses: [written('Done', 'Settings')],
    },
    {
      method: 'PATCH',
      path: '/v1/settings',
      scope: 'admin',
      id: 'patchSettings',
      summary: 'Change the settings that are sent; null sets one to its default',
      handler: settings.patchSettings,
      query: TESTS_QUERY,
      body: SETTINGS_FIELDS,
      example: EXAMPLES.settings,
      headers: writes,
      responses: [written('Done', 'Settings')],
    },
    {
      method: 'GET',
      path: '/v1/limits',
      scope: 'read',
      id: 'getLimits',
      summary: 'Read the limits that the operator has set for the account, and what is used of them',
      handler: settings.getLimits,
      responses: [record('Limits')],
    },

    ...CONSOLE_ROUTES,
    {
      method: 'GET',
      path: '/healthz',
      id: 'healthz',
      summary: 'Whether the process is alive',
      handler: health.healthz,
      open: true,
      responses: [record('Health')],
    },
    {
      method: 'GET',
      path: '/readyz',
      id: 'readyz',
      summary: 'Whether it should get traffic',
      handler: health.readyz,
      open: true,
      responses: [record('Readiness')],
    },
    {
      method: 'GET',
      path: '/metrics',
      id: 'metrics',
      summary: 'Metrics for Prometheus',
      handler: health.metrics,
      open: true,
      responses: [text('text/plain', 'Prometheus text format')],
    },
    {
      method: 'GET',
      path: '/openapi.json',
      id: 'openApi',
      summary: 'This document',
      handler: () => openApi(ROUTES),
      open: true,
      responses: [text('application/json', 'OpenAPI 3.1')],
    },
    {
      method: 'GET',
      path: '/docs',
      id: 'docs',
      summary: 'The interactive documentation',
      handler: docsPage,
      open: true,
      responses: [text('text/html', 'A page')],
    },
    {
      method: 'GET',
      path: '/docs/errors',
      id: 'docsErrors',
      summary: 'What each error code means',
      handler: docsErrors,
      open: true,
      responses: [text('text/html', 'A page')],
    },
    {
      method: 'GET',
      path: '/docs/{file}',
      id: 'docsAsset',
      summary: 'A file of that page',
      handler: docsAsset,
      open: true,
      responses: [text('text/javascript', 'A script or a style sheet')],
    },
  ]),
);

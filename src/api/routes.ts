// The whole API on one screen: what one can ask. The OpenAPI document is made from this table (openapi.ts).

import { AUDIT_QUERY, listAudit } from './account/audit.ts';
import * as session from './account/session.ts';
import { CURRENT_FIELDS, SIGN_IN_FIELDS, SIGN_OUT_QUERY } from './account/session.ts';
import * as settings from './account/settings.ts';
import * as token from './account/token.ts';
import { CALLS_QUERY, getCallRecord, listCallRecords } from './calls/call-record.ts';
import { exportCallRecords } from './calls/call-record-csv.ts';
import * as callRecording from './calls/call-recording.ts';
import { clickToCall } from './calls/click-to-call.ts';
import { getIvrLint, getLint } from './calls/lint.ts';
import * as live from './calls/live-call.ts';
import { getDepartmentQueue } from './calls/queue.ts';
import { simulateIvr, simulateUnsaved, TESTS_QUERY, testIvr } from './calls/simulate.ts';
import * as sms from './calls/sms.ts';
import { getIvrStatistics, getStatistics, listIvrStatistics } from './calls/statistics.ts';
import { getTelephony, getTrunkState, listPhones } from './calls/telephony.ts';
import * as delivery from './calls/webhook-delivery.ts';
import { PAGE_QUERY } from './http/page.ts';
import { openApi } from './openapi.ts';
import { consoleAsset, consoleFile, consolePage } from './pages/console.ts';
import { docsAsset, docsPage } from './pages/docs.ts';
import * as health from './pages/health.ts';
import * as agent from './records/agent.ts';
import { AGENTS_QUERY, listAgentsV2 } from './records/agents-v2.ts';
import * as announcement from './records/announcement.ts';
import * as blockedNumber from './records/blocked-number.ts';
import * as callerIdRule from './records/caller-id-rule.ts';
import { SEARCH_QUERY } from './records/collection.ts';
import * as department from './records/department.ts';
import * as ivr from './records/ivr.ts';
import * as number from './records/number.ts';
import * as recording from './records/recording.ts';
import { FORCE_QUERY } from './records/referrers.ts';
import * as smsTemplate from './records/sms-template.ts';
import * as team from './records/team.ts';
import * as timeGroup from './records/time-group.ts';
import * as trunk from './records/trunk.ts';
import * as voicemailBox from './records/voicemail-box.ts';
import * as webhook from './records/webhook.ts';
import { replies } from './replies.ts';
import type { Route } from './route.ts';
import { SETTINGS_FIELDS, TOKEN_FIELDS } from './schemas/account.ts';
import { AGENT_FIELDS, DEPARTMENT_FIELDS, DEPARTMENTS_QUERY, TEAM_FIELDS } from './schemas/agent.ts';
import { ANNOUNCEMENT_FIELDS } from './schemas/announcement.ts';
import { BLOCKED_NUMBER_FIELDS, BLOCKED_NUMBER_QUERY } from './schemas/blocked-number.ts';
import { CALL_FILTERS } from './schemas/call-query.ts';
import { CALL_RECORDING_QUERY, VOICEMAIL_QUERY } from './schemas/call-recording.ts';
import { CALLER_ID_RULE_FIELDS } from './schemas/caller-id-rule.ts';
import { EXAMPLES } from './schemas/examples.ts';
import { IVR_BODY, IVR_FIELDS } from './schemas/ivr.ts';
import {
  CALL_ID_FIELDS,
  CLICK_FIELDS,
  LISTEN_FIELDS,
  LIVE_CALLS_QUERY,
  TRANSFER_FIELDS,
} from './schemas/live-call.ts';
import { NUMBER_FIELDS, NUMBERS_QUERY } from './schemas/number.ts';
import { AUDIO_QUERY, RECORDING_FIELDS, WAVEFORM_QUERY } from './schemas/recording.ts';
import { SCENARIO_FIELDS } from './schemas/scenario.ts';
import { DELIVERY_FIELDS, SMS_FIELDS, SMS_QUERY, SMS_TEMPLATE_FIELDS } from './schemas/sms.ts';
import { IVRS_STATISTICS_QUERY, STATISTICS_QUERY } from './schemas/statistics.ts';
import { TIME_GROUP_FIELDS, TIME_GROUP_QUERY } from './schemas/time-group.ts';
import { TRUNK_FIELDS } from './schemas/trunk.ts';
import { VOICEMAIL_BOX_FIELDS } from './schemas/voicemail-box.ts';
import { DELIVERIES_QUERY, REPLAY_FIELDS, WEBHOOK_FIELDS } from './schemas/webhook.ts';

const once = ['Idempotency-Key'] as const;
const reads = ['If-None-Match'] as const;
const writes = ['If-Match'] as const;
const { created, written, list, record } = replies;

// biome-ignore format: a table is read by its columns
export const ROUTES: readonly Route[] = [
  // The specification's two operations.
  { method: 'POST', path: '/v1/ivr', id: 'createIvr', handler: ivr.createIvr, does: 'Create an IVR', body: IVR_FIELDS, example: EXAMPLES.ivr, query: TESTS_QUERY, headers: once, replies: [created()] },
  { method: 'GET', path: '/v1/agents', id: 'listAgents', handler: agent.listAgents, does: 'List all agents', deprecated: true, headers: reads, replies: [replies.agents, replies.unchanged] },

  { method: 'GET', path: '/v1/ivrs', id: 'listIvrs', handler: ivr.listIvrs, does: 'List IVRs in pages', query: PAGE_QUERY, replies: [list('Ivr')] },
  { method: 'GET', path: '/v1/ivr/{id}', id: 'getIvr', handler: ivr.getIvr, does: 'Read an IVR and its warnings', headers: reads, replies: [record('IvrWithWarnings'), replies.unchanged] },
  { method: 'PUT', path: '/v1/ivr/{id}', id: 'putIvr', handler: ivr.putIvr, does: 'Replace an IVR; the former version is kept', body: IVR_FIELDS, example: EXAMPLES.ivr, query: TESTS_QUERY, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/ivr/{id}', id: 'deleteIvr', handler: ivr.deleteIvr, does: 'Delete an IVR that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },
  { method: 'GET', path: '/v1/ivr/{id}/versions', id: 'listIvrVersions', handler: ivr.listIvrVersions, does: "List an IVR's versions, newest first", query: PAGE_QUERY, replies: [list('Ivr')] },
  { method: 'POST', path: '/v1/ivr/{id}/restore/{version}', id: 'restoreIvr', handler: ivr.restoreIvr, does: 'Make a former version the newest', query: TESTS_QUERY, headers: writes, replies: [written()] },
  { method: 'POST', path: '/v1/ivr/{id}/simulate', id: 'simulateIvr', handler: simulateIvr, does: 'Call an IVR without a phone', body: SCENARIO_FIELDS, example: EXAMPLES.scenario, replies: [record('Trace')] },
  { method: 'POST', path: '/v1/simulate', id: 'simulateUnsaved', handler: simulateUnsaved, does: 'Call an IVR that is not stored', body: { ivr: IVR_BODY, ...SCENARIO_FIELDS }, example: { ivr: EXAMPLES.ivr, ...EXAMPLES.scenario }, replies: [record('Trace')] },
  { method: 'GET', path: '/v1/ivr/{id}/lint', id: 'lintIvr', handler: getIvrLint, does: 'What will annoy callers of an IVR', replies: [record('Findings')] },
  { method: 'GET', path: '/v1/lint', id: 'lint', handler: getLint, does: 'The same for all records', replies: [record('Findings')] },
  { method: 'POST', path: '/v1/ivr/{id}/test', id: 'testIvr', handler: testIvr, does: 'Run the tests that an IVR carries', replies: [record('TestResults')] },

  { method: 'GET', path: '/v2/agents', id: 'listAgentsV2', handler: listAgentsV2, does: 'List agents in pages, filtered and sorted', query: AGENTS_QUERY, replies: [list('Agent')] },
  { method: 'POST', path: '/v1/agent', id: 'createAgent', handler: agent.createAgent, does: 'Create an agent; the SIP password is shown once', body: AGENT_FIELDS, example: EXAMPLES.agent, headers: once, replies: [created('AgentCreated')] },
  { method: 'GET', path: '/v1/agent/{eid}', id: 'getAgent', handler: agent.getAgent, does: 'Read an agent', headers: reads, replies: [record('StampedAgent'), replies.unchanged] },
  { method: 'PUT', path: '/v1/agent/{eid}', id: 'putAgent', handler: agent.putAgent, does: 'Replace an agent', body: AGENT_FIELDS, example: EXAMPLES.agent, query: FORCE_QUERY, headers: writes, replies: [written('WithPassword')] },
  { method: 'DELETE', path: '/v1/agent/{eid}', id: 'deleteAgent', handler: agent.deleteAgent, does: 'Delete an agent that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/block', id: 'blockAgent', handler: agent.blockAgent, does: 'Block an agent: no call is offered', headers: writes, replies: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/unblock', id: 'unblockAgent', handler: agent.unblockAgent, does: 'Unblock an agent', headers: writes, replies: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/sip_password', id: 'renewSipPassword', handler: agent.renewSipPassword, does: 'Make a new SIP password, shown once', headers: writes, replies: [written('WithPassword')] },

  { method: 'GET', path: '/v1/teams', id: 'listTeams', handler: team.listTeams, does: 'List teams in pages', query: SEARCH_QUERY, replies: [list('Team')] },
  { method: 'POST', path: '/v1/team', id: 'createTeam', handler: team.createTeam, does: 'Create a team', body: TEAM_FIELDS, example: EXAMPLES.team, headers: once, replies: [created('TeamCreated')] },
  { method: 'GET', path: '/v1/team/{id}', id: 'getTeam', handler: team.getTeam, does: 'Read a team', headers: reads, replies: [record('Team'), replies.unchanged] },
  { method: 'PUT', path: '/v1/team/{id}', id: 'putTeam', handler: team.putTeam, does: 'Replace a team', body: TEAM_FIELDS, example: EXAMPLES.team, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/team/{id}', id: 'deleteTeam', handler: team.deleteTeam, does: 'Delete a team without agents', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/departments', id: 'listDepartments', handler: department.listDepartments, does: 'List departments in pages', query: { ...SEARCH_QUERY, ...DEPARTMENTS_QUERY }, replies: [list('Department')] },
  { method: 'POST', path: '/v1/department', id: 'createDepartment', handler: department.createDepartment, does: 'Create a department', body: DEPARTMENT_FIELDS, example: EXAMPLES.department, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/department/{id}', id: 'getDepartment', handler: department.getDepartment, does: 'Read a department', headers: reads, replies: [record('Department'), replies.unchanged] },
  { method: 'PUT', path: '/v1/department/{id}', id: 'putDepartment', handler: department.putDepartment, does: 'Replace a department', body: DEPARTMENT_FIELDS, example: EXAMPLES.department, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/department/{id}', id: 'deleteDepartment', handler: department.deleteDepartment, does: 'Delete a department that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/numbers', id: 'listNumbers', handler: number.listNumbers, does: 'List dialled numbers in pages', query: { ...SEARCH_QUERY, ...NUMBERS_QUERY }, replies: [list('Number')] },
  { method: 'POST', path: '/v1/number', id: 'createNumber', handler: number.createNumber, does: 'Create a number that callers dial', body: NUMBER_FIELDS, example: EXAMPLES.number, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/number/{id}', id: 'getNumber', handler: number.getNumber, does: 'Read a number', headers: reads, replies: [record('Number'), replies.unchanged] },
  { method: 'PUT', path: '/v1/number/{id}', id: 'putNumber', handler: number.putNumber, does: 'Replace a number', body: NUMBER_FIELDS, example: EXAMPLES.changedNumber, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/number/{id}', id: 'deleteNumber', handler: number.deleteNumber, does: 'Delete a number', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/trunks', id: 'listTrunks', handler: trunk.listTrunks, does: 'List trunks in pages', query: PAGE_QUERY, replies: [list('Trunk')] },
  { method: 'POST', path: '/v1/trunk', id: 'createTrunk', handler: trunk.createTrunk, does: 'Create a trunk to the telephone network', body: TRUNK_FIELDS, example: EXAMPLES.trunk, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/trunk/{id}', id: 'getTrunk', handler: trunk.getTrunk, does: 'Read a trunk and its warnings', headers: reads, replies: [record('TrunkWithWarnings'), replies.unchanged] },
  { method: 'PUT', path: '/v1/trunk/{id}', id: 'putTrunk', handler: trunk.putTrunk, does: 'Replace a trunk; without a password the stored one stays', body: TRUNK_FIELDS, example: EXAMPLES.changedTrunk, headers: writes, replies: [written()] },
  { method: 'GET', path: '/v1/trunk/{id}/state', id: 'getTrunkState', handler: getTrunkState, does: 'Whether a trunk is registered, and its calls', replies: [record('TrunkState')] },
  { method: 'DELETE', path: '/v1/trunk/{id}', id: 'deleteTrunk', handler: trunk.deleteTrunk, does: 'Delete a trunk', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/recordings', id: 'listRecordings', handler: recording.listRecordings, does: 'List recordings in pages', query: SEARCH_QUERY, replies: [list('Recording')] },
  { method: 'POST', path: '/v1/recording', id: 'createRecording', handler: recording.createRecording, does: 'Create a recording from a file, a URL or a text to be spoken', body: RECORDING_FIELDS, upload: true, example: EXAMPLES.recording, headers: once, replies: [created('RecordingCreated')] },
  { method: 'GET', path: '/v1/recording/{id}', id: 'getRecording', handler: recording.getRecording, does: 'Read a recording and its warnings', headers: reads, replies: [record('RecordingWithWarnings'), replies.unchanged] },
  { method: 'PUT', path: '/v1/recording/{id}', id: 'putRecording', handler: recording.putRecording, does: 'Replace a recording; what is not sent stays, the former version is kept', body: RECORDING_FIELDS, upload: true, example: EXAMPLES.changedRecording, headers: writes, replies: [written('RecordingWritten')] },
  { method: 'DELETE', path: '/v1/recording/{id}', id: 'deleteRecording', handler: recording.deleteRecording, does: 'Delete a recording that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },
  { method: 'GET', path: '/v1/recording/{id}/audio', id: 'getRecordingAudio', handler: recording.getRecordingAudio, does: 'Hear a recording, as WAV', query: AUDIO_QUERY, headers: ['If-None-Match', 'Range'], replies: [replies.file('audio/wav'), replies.part('audio/wav'), replies.unchanged] },
  { method: 'GET', path: '/v1/recording/{id}/waveform', id: 'getRecordingWaveform', handler: recording.getRecordingWaveform, does: 'The outline of a recording, for drawing', query: WAVEFORM_QUERY, headers: reads, replies: [record('Waveform'), replies.unchanged] },
  { method: 'GET', path: '/v1/recording/{id}/versions', id: 'listRecordingVersions', handler: recording.listRecordingVersions, does: "List a recording's versions, newest first", query: PAGE_QUERY, replies: [list('Recording')] },
  { method: 'POST', path: '/v1/recording/{id}/restore/{version}', id: 'restoreRecording', handler: recording.restoreRecording, does: 'Make a former version the newest', headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/timegroups', id: 'listTimeGroups', handler: timeGroup.listTimeGroups, does: 'List time groups in pages', query: SEARCH_QUERY, replies: [list('TimeGroup')] },
  { method: 'POST', path: '/v1/timegroup', id: 'createTimeGroup', handler: timeGroup.createTimeGroup, does: 'Create a time group', body: TIME_GROUP_FIELDS, example: EXAMPLES.timeGroup, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/timegroup/{id}', id: 'getTimeGroup', handler: timeGroup.getTimeGroup, does: 'Read a time group: is it open, and until when?', query: TIME_GROUP_QUERY, headers: reads, replies: [record('TimeGroupWithChange'), replies.unchanged] },
  { method: 'PUT', path: '/v1/timegroup/{id}', id: 'putTimeGroup', handler: timeGroup.putTimeGroup, does: 'Replace a time group', body: TIME_GROUP_FIELDS, example: EXAMPLES.timeGroup, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/timegroup/{id}', id: 'deleteTimeGroup', handler: timeGroup.deleteTimeGroup, does: 'Delete a time group that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/announcements', id: 'listAnnouncements', handler: announcement.listAnnouncements, does: 'List announcements in pages', query: SEARCH_QUERY, replies: [list('Announcement')] },
  { method: 'POST', path: '/v1/announcement', id: 'createAnnouncement', handler: announcement.createAnnouncement, does: 'Create an announcement', body: ANNOUNCEMENT_FIELDS, example: EXAMPLES.announcement, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/announcement/{id}', id: 'getAnnouncement', handler: announcement.getAnnouncement, does: 'Read an announcement', headers: reads, replies: [record('Announcement'), replies.unchanged] },
  { method: 'PUT', path: '/v1/announcement/{id}', id: 'putAnnouncement', handler: announcement.putAnnouncement, does: 'Replace an announcement', body: ANNOUNCEMENT_FIELDS, example: EXAMPLES.announcement, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/announcement/{id}', id: 'deleteAnnouncement', handler: announcement.deleteAnnouncement, does: 'Delete an announcement that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/voicemail_boxes', id: 'listVoicemailBoxes', handler: voicemailBox.listVoicemailBoxes, does: 'List voicemail boxes in pages', query: SEARCH_QUERY, replies: [list('VoicemailBox')] },
  { method: 'POST', path: '/v1/voicemail_box', id: 'createVoicemailBox', handler: voicemailBox.createVoicemailBox, does: 'Create a voicemail box', body: VOICEMAIL_BOX_FIELDS, example: EXAMPLES.voicemailBox, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/voicemail_box/{id}', id: 'getVoicemailBox', handler: voicemailBox.getVoicemailBox, does: 'Read a voicemail box', headers: reads, replies: [record('VoicemailBox'), replies.unchanged] },
  { method: 'PUT', path: '/v1/voicemail_box/{id}', id: 'putVoicemailBox', handler: voicemailBox.putVoicemailBox, does: 'Replace a voicemail box', body: VOICEMAIL_BOX_FIELDS, example: EXAMPLES.voicemailBox, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/voicemail_box/{id}', id: 'deleteVoicemailBox', handler: voicemailBox.deleteVoicemailBox, does: 'Delete a voicemail box that nothing points to', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/blocked_numbers', id: 'listBlockedNumbers', handler: blockedNumber.listBlockedNumbers, does: 'List blocked numbers in pages', query: { ...SEARCH_QUERY, ...BLOCKED_NUMBER_QUERY }, replies: [list('BlockedNumber')] },
  { method: 'POST', path: '/v1/blocked_number', id: 'createBlockedNumber', handler: blockedNumber.createBlockedNumber, does: 'Block a number, all that begin alike, or withheld ones', body: BLOCKED_NUMBER_FIELDS, example: EXAMPLES.blockedNumber, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/blocked_number/{id}', id: 'getBlockedNumber', handler: blockedNumber.getBlockedNumber, does: 'Read a blocked number', headers: reads, replies: [record('BlockedNumber'), replies.unchanged] },
  { method: 'PUT', path: '/v1/blocked_number/{id}', id: 'putBlockedNumber', handler: blockedNumber.putBlockedNumber, does: 'Replace a blocked number', body: BLOCKED_NUMBER_FIELDS, example: EXAMPLES.changedBlock, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/blocked_number/{id}', id: 'deleteBlockedNumber', handler: blockedNumber.deleteBlockedNumber, does: 'Delete a blocked number', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/caller_id_rules', id: 'listCallerIdRules', handler: callerIdRule.listCallerIdRules, does: 'List caller-id rules in pages', query: SEARCH_QUERY, replies: [list('CallerIdRule')] },
  { method: 'POST', path: '/v1/caller_id_rule', id: 'createCallerIdRule', handler: callerIdRule.createCallerIdRule, does: 'Say which number outgoing calls show', body: CALLER_ID_RULE_FIELDS, example: EXAMPLES.callerIdRule, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/caller_id_rule/{id}', id: 'getCallerIdRule', handler: callerIdRule.getCallerIdRule, does: 'Read a caller-id rule', headers: reads, replies: [record('CallerIdRule'), replies.unchanged] },
  { method: 'PUT', path: '/v1/caller_id_rule/{id}', id: 'putCallerIdRule', handler: callerIdRule.putCallerIdRule, does: 'Replace a caller-id rule', body: CALLER_ID_RULE_FIELDS, example: EXAMPLES.callerIdRule, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/caller_id_rule/{id}', id: 'deleteCallerIdRule', handler: callerIdRule.deleteCallerIdRule, does: 'Delete a caller-id rule', query: FORCE_QUERY, headers: writes, replies: [written()] },

  { method: 'GET', path: '/v1/voicemails', id: 'listVoicemails', handler: callRecording.listVoicemails, does: 'List voicemail messages, newest first', query: VOICEMAIL_QUERY, replies: [list('Voicemail')] },
  { method: 'GET', path: '/v1/voicemail/{id}', id: 'getVoicemail', handler: callRecording.getVoicemail, does: 'Read what is known of a voicemail message', replies: [record('Voicemail')] },
  { method: 'GET', path: '/v1/voicemail/{id}/audio', id: 'getVoicemailAudio', handler: callRecording.getVoicemailAudio, does: 'Hear a voicemail message, as WAV', headers: ['If-None-Match', 'Range'], replies: [replies.file('audio/wav'), replies.part('audio/wav'), replies.unchanged] },
  { method: 'POST', path: '/v1/voicemail/{id}/heard', id: 'markVoicemailHeard', handler: callRecording.markHeard, does: 'Mark a voicemail message as heard', replies: [written()] },
  { method: 'POST', path: '/v1/voicemail/{id}/unheard', id: 'markVoicemailUnheard', handler: callRecording.markUnheard, does: 'Mark a voicemail message as not heard', replies: [written()] },
  { method: 'DELETE', path: '/v1/voicemail/{id}', id: 'deleteVoicemail', handler: callRecording.deleteVoicemail, does: 'Delete a voicemail message and its sound', replies: [written()] },
  { method: 'GET', path: '/v1/call/recordings', id: 'listCallRecordings', handler: callRecording.listCallRecordings, does: 'List recorded calls, newest first', query: CALL_RECORDING_QUERY, replies: [list('CallRecording')] },
  { method: 'GET', path: '/v1/call/recording/{id}', id: 'getCallRecording', handler: callRecording.getCallRecording, does: 'Read what is known of a recorded call', replies: [record('CallRecording')] },
  { method: 'GET', path: '/v1/call/recording/{id}/audio', id: 'getCallRecordingAudio', handler: callRecording.getCallRecordingAudio, does: 'Hear a recorded call, as WAV: left the caller, right the called side', headers: ['If-None-Match', 'Range'], replies: [replies.file('audio/wav'), replies.part('audio/wav'), replies.unchanged] },
  { method: 'DELETE', path: '/v1/call/recording/{id}', id: 'deleteCallRecording', handler: callRecording.deleteCallRecording, does: 'Delete a recorded call: its sound, not its record', replies: [written()] },

  { method: 'GET', path: '/v1/sms_templates', id: 'listSmsTemplates', handler: smsTemplate.listSmsTemplates, does: 'List SMS templates in pages', query: SEARCH_QUERY, replies: [list('SmsTemplate')] },
  { method: 'POST', path: '/v1/sms_template', id: 'createSmsTemplate', handler: smsTemplate.createSmsTemplate, does: 'Create an SMS template', body: SMS_TEMPLATE_FIELDS, example: EXAMPLES.smsTemplate, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/sms_template/{id}', id: 'getSmsTemplate', handler: smsTemplate.getSmsTemplate, does: 'Read an SMS template', headers: reads, replies: [record('SmsTemplate'), replies.unchanged] },
  { method: 'PUT', path: '/v1/sms_template/{id}', id: 'putSmsTemplate', handler: smsTemplate.putSmsTemplate, does: 'Replace an SMS template', body: SMS_TEMPLATE_FIELDS, example: EXAMPLES.smsTemplate, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/sms_template/{id}', id: 'deleteSmsTemplate', handler: smsTemplate.deleteSmsTemplate, does: 'Delete an SMS template that no IVR uses', query: FORCE_QUERY, headers: writes, replies: [written()] },
  { method: 'GET', path: '/v1/sms', id: 'listSms', handler: sms.listSms, does: 'List SMS, newest first', query: SMS_QUERY, replies: [list('Sms')] },
  { method: 'POST', path: '/v1/sms', id: 'createSms', handler: sms.createSms, does: 'Send an SMS', body: SMS_FIELDS, example: EXAMPLES.sms, headers: once, replies: [created('Created')] },
  { method: 'GET', path: '/v1/sms/{id}', id: 'getSms', handler: sms.getSms, does: 'Read an SMS and what became of it', replies: [record('Sms')] },
  { method: 'POST', path: '/v1/sms/{id}/delivery', id: 'reportSms', handler: sms.reportSms, does: 'Tell what became of an SMS, for gateways', body: DELIVERY_FIELDS, example: EXAMPLES.delivery, replies: [written()] },

  { method: 'GET', path: '/v1/webhooks', id: 'listWebhooks', handler: webhook.listWebhooks, does: 'List webhooks in pages', query: SEARCH_QUERY, replies: [list('Webhook')] },
  { method: 'POST', path: '/v1/webhook', id: 'createWebhook', handler: webhook.createWebhook, does: 'Create a webhook; a secret that is made is shown once', body: WEBHOOK_FIELDS, example: EXAMPLES.webhook, headers: once, replies: [created('WebhookCreated')] },
  { method: 'GET', path: '/v1/webhook/{id}', id: 'getWebhook', handler: webhook.getWebhook, does: 'Read a webhook and its warnings', headers: reads, replies: [record('WebhookWithWarnings'), replies.unchanged] },
  { method: 'PUT', path: '/v1/webhook/{id}', id: 'putWebhook', handler: webhook.putWebhook, does: 'Replace a webhook; without a secret the stored one stays', body: WEBHOOK_FIELDS, example: EXAMPLES.webhook, headers: writes, replies: [written()] },
  { method: 'DELETE', path: '/v1/webhook/{id}', id: 'deleteWebhook', handler: webhook.deleteWebhook, does: 'Delete a webhook that nothing points to; what waits for it is given up', query: FORCE_QUERY, headers: writes, replies: [written()] },
  { method: 'POST', path: '/v1/webhook/{id}/secret', id: 'renewWebhookSecret', handler: webhook.renewWebhookSecret, does: 'Make a new secret, shown once; the former one signs too for a day', headers: writes, replies: [written('WithSecret')] },
  { method: 'POST', path: '/v1/webhook/{id}/test', id: 'testWebhook', handler: delivery.testWebhook, does: 'Send a ping to a webhook', replies: [written('DeliveryQueued')] },
  { method: 'GET', path: '/v1/webhook/{id}/deliveries', id: 'listDeliveries', handler: delivery.listDeliveries, does: 'List what was or will be sent to a webhook, newest first', query: DELIVERIES_QUERY, replies: [list('Delivery')] },
  { method: 'GET', path: '/v1/webhook/{id}/delivery/{delivery}', id: 'getDelivery', handler: delivery.getDelivery, does: 'Read a delivery with its body', replies: [record('DeliveryWithBody')] },
  { method: 'POST', path: '/v1/webhook/{id}/replay', id: 'replayWebhook', handler: delivery.replayWebhook, does: 'Send one delivery or those of a span of time again, with the same event ids', body: REPLAY_FIELDS, example: EXAMPLES.replay, replies: [written('Replayed')] },

  { method: 'GET', path: '/v1/call/records.csv', id: 'exportCallRecords', handler: exportCallRecords, does: 'All calls that the filters find, as CSV', query: CALL_FILTERS, replies: [replies.text('text/csv', 'RFC 4180, with a header line')] },
  { method: 'GET', path: '/v1/ivr/{id}/statistics', id: 'getIvrStatistics', handler: getIvrStatistics, does: 'What callers did in an IVR, by day or hour', query: STATISTICS_QUERY, replies: [record('MenuStatistics')] },
  { method: 'GET', path: '/v1/statistics', id: 'getStatistics', handler: getStatistics, does: 'Calls, agents and departments, by day or hour', query: STATISTICS_QUERY, replies: [record('CallStatistics')] },
  { method: 'GET', path: '/v1/statistics/ivrs', id: 'listIvrStatistics', handler: listIvrStatistics, does: 'What callers did in every IVR, most visited first', query: IVRS_STATISTICS_QUERY, replies: [record('IvrsStatistics')] },

  { method: 'GET', path: '/v1/department/{id}/queue', id: 'getDepartmentQueue', handler: getDepartmentQueue, does: 'Who waits in line for a department now', replies: [record('Queue')] },

  { method: 'GET', path: '/v1/live_calls', id: 'listLiveCalls', handler: live.listLiveCalls, does: 'List the calls that live now', query: LIVE_CALLS_QUERY, replies: [list('LiveCall')] },
  { method: 'GET', path: '/v1/live_calls/events', id: 'followCalls', handler: live.followCalls, does: 'Follow calls by server-sent events; Last-Event-ID goes on where a broken connection was', headers: ['Last-Event-ID'], replies: [replies.text('text/event-stream', 'A snapshot, then each piece of news')] },
  { method: 'POST', path: '/v1/call/hangup', id: 'hangUpCall', handler: live.hangUpCall, does: 'Hang up a live call', body: CALL_ID_FIELDS, example: EXAMPLES.liveCall, replies: [written()] },
  { method: 'POST', path: '/v1/call/transfer', id: 'transferCall', handler: live.transferCall, does: 'Send one side of a live call elsewhere', body: TRANSFER_FIELDS, example: EXAMPLES.transfer, replies: [written()] },
  { method: 'POST', path: '/v1/call/listen', id: 'listenIn', handler: live.listenIn, does: 'Ring an agent to listen to a conversation, or to take part', body: LISTEN_FIELDS, example: EXAMPLES.listen, replies: [written()] },
  { method: 'POST', path: '/v1/click_to_call', id: 'clickToCall', handler: clickToCall, does: "Ring an agent's phone, then the number", body: CLICK_FIELDS, example: EXAMPLES.click, headers: once, replies: [created('Created')] },

  { method: 'GET', path: '/v1/audit', id: 'listAudit', handler: listAudit, does: 'List who changed what, newest first', query: AUDIT_QUERY, replies: [list('AuditEntry')] },

  { method: 'GET', path: '/v1/call/records', id: 'listCallRecords', handler: listCallRecords, does: 'List calls that are over, newest first', query: CALLS_QUERY, replies: [list('CallSummary')] },
  { method: 'GET', path: '/v1/call/records/{id}', id: 'getCallRecord', handler: getCallRecord, does: 'Read a call with every step', replies: [record('CallRecord')] },

  { method: 'GET', path: '/v1/tokens', id: 'listTokens', handler: token.listTokens, does: "List the account's access tokens", query: PAGE_QUERY, replies: [list('Token')] },
  { method: 'POST', path: '/v1/token', id: 'createToken', handler: token.createToken, does: 'Create an access token, shown once', body: TOKEN_FIELDS, example: EXAMPLES.token, replies: [created('TokenCreated')] },
  { method: 'DELETE', path: '/v1/token/{id}', id: 'revokeToken', handler: token.revokeToken, does: 'Revoke an access token', replies: [written()] },
  // § the console
  { method: 'GET', path: '/v1/session', id: 'getSession', handler: session.getSession, does: 'Which accounts this browser is signed in to', open: true, replies: [record('Session')] },
  { method: 'POST', path: '/v1/session', id: 'createSession', handler: session.createSession, does: 'Sign a browser in, by an access token or a one-time link', open: true, body: SIGN_IN_FIELDS, example: EXAMPLES.session, replies: [replies.signedIn] },
  { method: 'POST', path: '/v1/session/current', id: 'putCurrentSession', handler: session.putCurrent, does: "Make one of the browser's accounts the current one", body: CURRENT_FIELDS, example: EXAMPLES.currentSession, headers: ['Dialtree-Account'], replies: [written()] },
  { method: 'DELETE', path: '/v1/session', id: 'deleteSession', handler: session.deleteSession, does: 'Sign a browser out', query: SIGN_OUT_QUERY, headers: ['Dialtree-Account'], replies: [written()] },
  { method: 'GET', path: '/v1/telephony', id: 'getTelephony', handler: getTelephony, does: 'Where telephones register', replies: [record('Telephony')] },
  { method: 'GET', path: '/v1/agent/{eid}/phones', id: 'listPhones', handler: listPhones, does: 'Telephones that are registered for an agent', replies: [record('Phones')] },

  { method: 'GET', path: '/v1/settings', id: 'getSettings', handler: settings.getSettings, does: "Read the account's settings", replies: [record('Settings')] },
  { method: 'PUT', path: '/v1/settings', id: 'putSettings', handler: settings.putSettings, does: 'Change settings; those not sent keep their values', body: SETTINGS_FIELDS, example: EXAMPLES.settings, replies: [written()] },

  { method: 'GET', path: '/', id: 'console', handler: consolePage, does: 'The console', open: true, unlisted: true, replies: [replies.text('text/html', 'A page')] },
  { method: 'GET', path: '/console/{file}', id: 'consoleFile', handler: consoleFile, does: 'A file of it', open: true, unlisted: true, replies: [replies.text('text/javascript', 'A file')] },
  { method: 'GET', path: '/console/assets/{file}', id: 'consoleAsset', handler: consoleAsset, does: 'A file that never changes', open: true, unlisted: true, replies: [replies.text('text/javascript', 'A file')] },
  { method: 'GET', path: '/healthz', id: 'healthz', handler: health.healthz, does: 'Whether the process is alive', open: true, replies: [record('Health')] },
  { method: 'GET', path: '/readyz', id: 'readyz', handler: health.readyz, does: 'Whether it should get traffic', open: true, replies: [record('Health')] },
  { method: 'GET', path: '/metrics', id: 'metrics', handler: health.metrics, does: 'Metrics for Prometheus', open: true, replies: [replies.text('text/plain', 'Prometheus text format')] },
  { method: 'GET', path: '/openapi.json', id: 'openApi', handler: () => openApi(ROUTES), does: 'This document', open: true, replies: [replies.text('application/json', 'OpenAPI 3.1')] },
  { method: 'GET', path: '/docs', id: 'docs', handler: docsPage, does: 'The interactive documentation', open: true, replies: [replies.text('text/html', 'A page')] },
  { method: 'GET', path: '/docs/{file}', id: 'docsAsset', handler: docsAsset, does: 'A file of that page', open: true, replies: [replies.text('text/javascript', 'A script or a style sheet')] },
];

// What operations do, beyond their summary.

export const OPERATIONS: Readonly<Record<string, string>> = {
  createIvr:
    'Stores a menu, which calls can reach at once. References to records that do not exist yet are accepted with a warning in `Message`, unless the setting `strict_references` is on.',
  listAgents:
    'All agents of the account in one list, sorted by id. Use GET /v2/agents instead, which has pages and filters.',
  getIvr: 'One menu as it is stored, with what the linter says of it.',
  putIvr:
    'Replaces the whole menu: a member that is not sent gets its default. The next call follows the new version; calls in progress keep theirs.',
  listIvrVersions: 'Every version of the menu that is stored, the present one included.',
  restoreCollect: 'Makes the content of a former version of the collect the newest version. Nothing is lost.',
  restoreRequest: 'Makes the content of a former version of the request the newest version. Nothing is lost.',
  restoreStream: 'Makes the content of a former version of the stream the newest version. Nothing is lost.',
  restoreSwitch: 'Makes the content of a former version of the switch the newest version. Nothing is lost.',
  restoreMessage: 'Makes the content of a former version of the message the newest version. Nothing is lost.',
  restoreSipAddress:
    'Makes the content of a former version of the SIP address the newest version, with its password. Nothing is lost.',
  placeCall:
    'Dials the number by the trunks that agents may call by (`agents_may_call`, `outbound_prefixes`), and puts whoever answers into the destination, with the variables. It counts as a click to call does. The record of the call has the id of the answer.',
  restoreIvr: 'Stores a former version of the menu again, as a new version. Its tests run first.',
  simulateIvr:
    'Runs the menu with a script of what the caller does, on a virtual clock, by the code that calls run. Nothing is stored and no phone rings.',
  simulateUnsaved:
    'Runs a menu from the body instead of a stored one, as an editor does before saving. Nothing is stored.',
  lintIvr:
    'Checks one menu and what it leads to: missing records, dead ends, loops, prompts that are too long.',
  lint: 'Checks all records of the account, as GET /v1/ivr/{id}/lint checks one menu.',
  getDraft:
    'What the console of an account with the setting `require_publish` has collected, with each record before and after.',
  checkDraft:
    'Runs the linter over the account as the draft would make it, and the stored tests of its menus. Nothing is stored.',
  simulateDraft:
    'Runs a call with a script of what the caller does, as `POST /v1/ivr/{id}/simulate` does, over the account as the draft would make it. Nothing is stored.',
  publishDraft:
    'Writes all records of the draft in one transaction. Refused as a whole with 409 when one of them was changed since, or when a test of a menu fails.',
  discardDraft: 'Forgets all changes of the draft. What is published stays.',
  discardDrafted: 'Forgets the change of one record.',
  listPublications: 'The last 50 publications, each with who made it, why, and which records it changed.',
  rollBack:
    'Writes the records of a publication as they were before it, as a publication of its own. Refused with 409 when one of them was changed since.',
  testIvr: 'Runs the tests of the menu, each as a simulated call, and compares what comes out with `expect`.',

  listAgentsV2: 'Agents in pages, filtered and sorted. The members of an agent are those of GET /v1/agents.',
  createAgent:
    'Creates a person who takes calls. The answer has the SIP password for the phones of the agent, this once.',
  putAgent:
    'Replaces the whole agent: a member that is not sent gets its default. A new intercom number makes a new SIP password.',
  deleteAgent:
    'Deletes an agent. Refused with 409 while a menu, number or department leads to the agent, unless `force=true`.',
  blockAgent:
    'From now on no call is offered to the agent: callers go to the failover destination. A conversation goes on.',
  unblockAgent: 'Calls are offered to the agent again.',
  renewSipPassword: 'Makes a new SIP password and ends the registrations that were made with the former one.',
  createPhonebook:
    'Makes an address by which a desk phone of the agent reads the colleagues and contacts of the account, as often as it likes. The address is a key: it ends when the agent gets another SIP password.',
  createProvisioning:
    'Makes an address for one phone of the agent. The first phone that asks gets its configuration with a new SIP password: other phones of the agent need it, too. Nothing changes before.',
  listReferences:
    'The records that point to a record, and settings that do: what stops working when it is deleted. Menus, numbers, hours, departments, agents and rules are searched.',
  listDeletedRecords:
    'Records that were deleted within the last 30 days, without their content. They can be restored or erased.',
  restoreDeletedRecord:
    'Stores the record again, with its former id and content, as the next version. References to it work again; lists that it was taken out of do not have it. Former versions of menus and recordings are not restored. Refused with 409 if another record has its number or name since.',
  eraseDeletedRecord: 'Deletes what is kept of a deleted record for good. The audit log has who did.',
  listAgentStates: 'The state of every agent at this moment, over all nodes, by eid.',
  getAgentState: 'The state of one agent at this moment, over all nodes.',
  pauseAgent:
    'No call of a department is offered to the agent until the pause ends, on any node. Calls to the agent by number ring all the same. The pause survives restarts.',
  resumeAgent: 'Departments ring the agent again.',
  endAgentWrapUp:
    'Departments ring the agent again at once, without the rest of `wrapup_seconds` after a call of a queue. Without a wrap-up nothing changes.',
  listAgentCalls:
    'Calls that the agent answered, that rang at the agent without an answer, or that the agent made. A user whose role is agent sees the own ones.',
  listEarlierCalls:
    'Calls from outside of a number, to whomever they led. The list is empty unless that number calls now, or was in a call with the agent before: an agent cannot look any number up.',
  listAgentVoicemails:
    "Messages in the voicemail box that the agent's unanswered calls go to; an empty list where they go elsewhere.",
  getAgentVoicemailAudio: 'The message as WAV. Hearing it does not mark it as heard.',
  markAgentVoicemailHeard: 'Marks a message as heard, for lists and for the lamps of phones.',
  signInAgent: 'Calls of the department, or of all departments of the agent, are offered to the agent again.',
  signOutAgent:
    'Calls of the department, or of all departments of the agent, are not offered to the agent until the agent signs in.',
  listPhones: 'The phones that are registered for the agent on this node at this moment.',
  deleteTeam: 'Deletes a team. Refused with 409 while agents are in it, unless `force=true`.',
  getDepartmentQueue:
    'The callers who wait for the department on this node at this moment, and what its agents do.',
  listCallbacks: 'Callers who left a queue to be called back, with what became of each. Kept for 30 days.',
  getCallback: 'One call-back: when it was asked for, its attempts, and what became of it.',
  cancelCallback: 'The caller is not called back. Refused with 409 while the caller is being called.',
  listNotifications:
    'What somebody should know of: trunks that are down, queues that are too long, new messages, a disk that is nearly full (for the first account alone). Kept for 30 days after they closed. The setting `notification_rules` says from when on, and who gets e-mail.',
  getWallboard:
    'Within how long a call is answered in time, and from when on figures of the wallboard are coloured.',
  putWallboard:
    'Replaces them for all who look at the wallboard: what is not sent gets its default. They are settings of the account, too.',
  createNumber: 'Makes a number that callers can dial, and says where its calls go.',
  createTrunk:
    'Connects the account with a SIP provider. Nothing is dialled out before `outbound_prefixes` has an entry.',
  putTrunk: 'Replaces the whole trunk: a member that is not sent gets its default, but the password stays.',
  getTrunkState:
    'Whether the provider has accepted the registration and answers, and how many calls use the trunk at this moment.',
  listTrunkPresets:
    'What the pages of well-known providers say of trunks, with the reason for each setting. None of them was tried with the provider itself.',

  createRecording:
    'Stores a prompt from a file, a URL, a text or another recording. The sound is converted at once, and the answer says what callers will hear.',
  putRecording:
    'Replaces the recording: a member that is not sent gets its default, but the sound stays unless another is sent. The former version is kept.',
  getRecordingAudio: 'The sound as callers hear it: WAV, 8 kHz, one channel.',
  getRecordingWaveform: 'The loudness over time, for drawing the recording.',
  listRecordingVersions: 'Every version of the recording that is stored, the present one included.',
  restoreRecording: 'Stores a former version of the recording again, as a new version.',
  getTimeGroup: 'One time group with whether it is open, now or at `at`, and when that changes.',
  deleteVoicemailBox:
    'Deletes a voicemail box. Refused with 409 while something leads to it or it has messages, unless `force=true`; messages stay.',
  getRoomParticipants: 'The callers who are in the room now, on whichever node it is.',
  lockRoom: 'From now on callers are refused, but for hosts, until the room is unlocked or empty.',
  unlockRoom: 'Callers are let in again.',
  muteParticipant: 'What the caller says is not heard by the others; the caller hears them.',
  unmuteParticipant: 'What the caller says is heard again.',
  removeParticipant: 'The caller leaves the conference, and the call is hung up.',
  createBlockedNumber:
    'Refuses calls from a number, from all that begin alike, or from callers who withhold theirs. They get 603 before anything is answered.',
  createCallerIdRule:
    'Says which number outbound calls show. The rule with the lowest `priority` whose conditions all fit decides.',

  listVoicemails: 'Messages that callers left, in all voicemail boxes or one.',
  getVoicemail: 'One message: who left it, when, how long it is, and whether it was heard.',
  getVoicemailAudio: 'The message as WAV. Hearing it does not mark it as heard.',
  markVoicemailHeard: 'Marks a message as heard, for lists and filters.',
  markVoicemailUnheard: 'Marks a message as not heard, for lists and filters.',
  deleteVoicemail: 'Deletes a message for good. The audit log has who did.',
  listCallRecordings: 'Conversations that were recorded since a menu or an agent has `record_calls`.',
  getCallRecording: 'One recorded conversation: of which call, with which agent, how long.',
  getCallRecordingAudio: 'The conversation as WAV with two channels: the caller left, the called side right.',
  deleteCallRecording:
    'Deletes the sound of a conversation for good; the call record stays. The audit log has who did.',

  listSms: 'Messages that were sent or will be, with what became of each.',
  createSms:
    'Queues a text message, from a text or from a template. It is tried until the gateway takes it, for a day.',
  getSms: 'One message and what became of it.',
  reportSms: 'For gateways over HTTP: says whether the message reached the phone.',
  createWebhook:
    'Sends events of calls to an address of yours from now on. The answer has the secret that they are signed with, this once.',
  putWebhook: 'Replaces the whole webhook: a member that is not sent gets its default, but the secret stays.',
  deleteWebhook: 'Deletes a webhook. Deliveries that wait for it are given up.',
  renewWebhookSecret:
    'Makes a new secret. For a day deliveries are signed with both, so that a receiver has time to change.',
  testWebhook: 'Queues a `webhook.ping`, also for a webhook that is paused.',
  listDeliveries: 'What was sent to the webhook or waits for it, of the last 3 days (given up: 30).',
  getDelivery: 'One delivery: how often it was tried, what the receiver answered, and its body.',
  replayWebhook:
    'Sends deliveries again that are done or given up, with the same ids, so that receivers recognise them.',

  listCallRecords:
    'Calls that have ended. Filters that are given must all be true. Only `"next_cursor": null` is the end of the list.',
  getCallRecord: 'One call with every step and its reason, the keys, each side of it and the SIP messages.',
  exportCallRecords:
    'The calls that GET /v1/call/records finds, as one file. What a spreadsheet would calculate has an apostrophe in front. With `timezone` it is made for people: names instead of ids, local times, durations as h:mm:ss.',
  exportCallWorkbook:
    'The calls that GET /v1/call/records finds, as a workbook for people: names, local times, durations. At most 10,000 calls.',
  exportStatistics:
    'One table of what GET /v1/statistics answers, with names; times are h:mm:ss, rates are percent.',
  exportStatisticsWorkbook: 'What GET /v1/statistics answers, as a workbook with a sheet for each table.',
  getConfiguration:
    'What the service runs with for mail, SMS, speech and network: what its environment fixes, what is stored, and what has its default. Without secrets. For the account of the operator alone.',
  patchConfiguration:
    'Sets variables that the environment leaves open; members that are not sent keep their value. They are stored for all nodes, sealed where they may hold a password, and take effect at the next start of the service: `pending_restart` says which wait for it. One that the environment sets is refused. For the account of the operator alone.',
  getReport:
    'What the report by mail says of the last whole day or week, in the time zone of the account: the figures of GET /v1/statistics beside those of a week before.',
  sendReport:
    'Sends that report to one address now, to see it. Those of the settings `report_daily_to` and `report_weekly_to` get it by themselves.',
  sendTestMail: 'Sends a short mail to one address, to see whether the mail server of the service takes it.',
  getIvrStatistics: 'How often callers came to the menu, what they pressed, and where they hung up.',
  getStatistics:
    'How many calls there were and how they ended, with the figures of each agent and department.',
  listIvrStatistics: 'The totals of all menus for one time, to compare them.',
  getHealth:
    'The findings of the linter and of the moment: trunks, phones, departments, lost sounds, disk and certificate of every node. What makes callers lose calls is an error. Most findings about machines are for the first account alone, and it alone is told of which node.',
  getPrompts:
    'What the service itself says to callers: each prompt in English, and the recording of the account that is played in its place. A recording with the id `prompt.<language>.<name>` is played to callers of an account with that language; without one they hear the shipped prompt, or English.',
  getLiveState:
    'All that changes by itself, over all nodes: calls, agents with their phones, trunks and queues.',
  followLiveState:
    'A `snapshot` event with the same as GET /v1/live_state, then `change` events: of each table that changed the rows that are new or different (`put`) and the ids of those that are gone (`gone`). The events of calls, as GET /v1/live_calls/events has them, come in between. A connection that broke begins again with a snapshot.',
  listLiveCalls: 'The calls of the account that are in progress, on all nodes.',
  followCalls:
    'A stream of events (text/event-stream): first a `snapshot` of all live calls, then each event, as webhooks receive it.',
  hangUpCall: 'Ends a call in progress, for both sides.',
  addParty:
    'Makes a three-way call: the number is rung, hears both sides once it has answered, and both hear it. It leaves with the conversation.',
  transferCall:
    'Sends the caller, or the called side, to another destination and hangs up the other side. With `consult` the other side, an agent, talks to the destination first, and that party hears music.',
  completeTransfer:
    'Joins the party that waits with the destination of the consultation, also while that one still rings, and hangs up the agent. Either of the two calls may be named.',
  cancelTransfer:
    'Hangs up the consultation and connects the agent with the party that waits. Either of the two calls may be named.',
  listenIn:
    'Rings the phones of an agent; the first to answer joins the conversation. The same request with another mode changes it.',
  createPhoneSession:
    'Makes a SIP user name and a secret for a web page, used over the WebSocket at `path` alone: for an agent, beside whose phones the page rings, or for calls to one destination. Connect within five minutes; the connection ends with the token or browser session that asked.',
  listPhoneSessions: 'Phone sessions that this node made or has a connection of.',
  deletePhoneSession: 'Ends a phone session that this node knows and closes its connections, at every node.',
  createButtonSession:
    'Makes a phone session for a visitor of a web page, by the key of a call button (setting `call_buttons`). Needs no token: the origin of the page must be one of the button, and addresses and keys are limited.',
  clickToCall: 'Rings the phones of an agent and connects the one that answers with a number.',
  listAudit:
    'Every change of a record, a token or a setting, and every act on a live call: who, when, with which request.',

  listTokens: 'The access tokens of the account. The secrets are not among what is shown.',
  createToken: 'Makes an access token with no more scopes, and no longer, than the token that makes it.',
  revokeToken:
    'Ends a token from the next request on, with all tokens that were made with it and browsers that signed in with it.',
  listUsers:
    'The people who use the account, with their roles. What proves who they are is not among what is shown.',
  createUser:
    'Stores a user who has no password yet. The link, which is shown this once and sent by e-mail where that is set up, lets them set one. An administrator may invite all but owners and administrators.',
  patchUser:
    'Changes what is sent. Another role, or disabling, signs the user out everywhere and ends their tokens. Nobody changes a user of a higher role, and the last owner stays.',
  deleteUser: 'Deletes the user with their sessions and tokens. What they did stays in the audit log.',
  createUserLink: 'Another link for the user to set a password; the one before works no longer.',
  endUserSessions: 'Ends the sessions of all browsers of the user. Tokens stay.',
  createOwner:
    'Makes the owner, while the account has no user, and signs the browser in as them. The link of the first start does this in the console.',
  readUserLink: 'For the console: whom the link is for. Reading does not use it up.',
  acceptUserLink:
    'Sets the password, ends all sessions, tokens and passkeys of the user, and signs the browser in. A user with a second factor signs in afterwards. The link works once.',
  requestReset: 'Sends a link by e-mail, if a user has the address. The answer is the same in any case.',
  getOwnUser: 'For the console: the user of the session, and where else they are signed in.',
  putOwnName: 'Changes the name of the user who is signed in.',
  putOwnPassword:
    'Changes the password of the user who is signed in; their other browsers and their tokens end.',
  endOwnSession: 'Ends one session of the user who is signed in, or with the id `others` all but this one.',
  beginTotp: 'Makes a key for an authenticator app. It counts once the first code has come back.',
  confirmTotp:
    'From now on signing in by password needs a code too. The answer has recovery codes, shown this once.',
  deleteTotp: 'Needs a code of the app, or a recovery code.',
  resetSecondFactor:
    'For a user who has lost the app and the recovery codes: make sure who asks. Passkeys are deleted; the password stays.',
  beginPasskey:
    'For the console: the challenge for a new passkey of the user who is signed in. Needs the present password; of a user without one a passkey that they have, or a sign-in within the last 10 minutes.',
  createPasskey:
    'For the console: stores the public key of the passkey. It signs the user in without password and code.',
  deletePasskey: 'The passkey signs nobody in any more.',
  beginPasskeySignIn: 'For the console: a challenge; it says nothing of who has a passkey.',
  signInByPasskey:
    'For the console: signs the browser in. The passkey was unlocked by its user, so no code is asked for.',
  getSession: 'For the console: the accounts that the cookie of this browser is good for.',
  createSession:
    'For the console: signs the browser in and sets a cookie. Programs send an access token instead.',
  createSignInLink:
    'Makes a link for a person whose browser is to be signed in. It works once, within 15 minutes; the session may do what the token may, and ends with it.',
  deleteSessions:
    'Ends the sessions of all browsers of the account, and links that were not used; by an administrator the own and those of users below. Access tokens stay.',
  putCurrentSession: 'For the console: requests that name no account are for this one from now on.',
  deleteSession: 'For the console: ends the session of this browser.',
  getIceServers:
    'What `iceServers` of an `RTCPeerConnection` takes: the STUN and TURN servers of the installation, with credentials for TURN that end after twelve hours.',
  getTelephony: 'What a person types into a phone: address, port and transports.',
  getSettings:
    'What the account has chosen, such as how long phones ring and how long records are kept. Users who may not change the settings see no e-mail addresses: the lists of those who get reports and notifications are empty.',
  putSettings:
    'Replaces all settings: one that is not sent gets its default. The next call follows them; PATCH changes single ones.',
  listNodes:
    'Every process that uses the database, with its state, its calls and when it was last seen. Those that ended stay for a day.',
  drainNode:
    'The node finishes its calls, refuses new ones with 503 and answers OPTIONS with 503, until it is resumed or ends. Another node learns it within a second.',
  resumeNode: 'The node takes calls again, unless it is ending.',
  getLimits: 'What the operator allows the account, and how much of it is used.',
  healthz: 'For a process manager: answers 200 as long as the process runs. No database is asked.',
  readyz:
    'For a load balancer: 200 where the service takes requests and can store records, otherwise 503 or 507 with the reason.',
  metrics: 'Counters and gauges of the whole service, in the text format of Prometheus.',
  openApi: 'This document: OpenAPI 3.1.',
  docs: 'A page that shows this document and tries operations.',
  docsErrors:
    'A page that explains every `Code` of a failure. Each has an anchor: `/docs/errors#fields_invalid`.',
  docsAsset: 'The scripts and style sheets of the documentation.',
};

/** For operations of a kind of record that have nothing of their own to say: `list`, `create`, `get`, `put`, `patch` and `delete`. */
export const ANY_RECORD: readonly (readonly [RegExp, (noun: string) => string])[] = [
  [
    /^list/,
    (noun) =>
      `One page of the ${noun} of the account, ordered by id. \`next_cursor\` leads to the next page.`,
  ],
  [/^create/, (noun) => `Stores a new ${noun}, which the next call can use. The answer has its id.`],
  [/^get/, (noun) => `The ${noun} as it is stored, with its version in \`ETag\`.`],
  [
    /^put/,
    (noun) =>
      `Replaces the whole ${noun}: a member that is not sent gets its default. The next call follows it.`,
  ],
  [
    /^patch/,
    (noun) =>
      `Changes those members of the ${noun} that are sent, as a JSON merge patch (RFC 7396): null sets a member to its default.`,
  ],
  [
    /^delete/,
    (noun) =>
      `Deletes the ${noun}. Refused with 409 while another record leads to it, unless \`force=true\`.`,
  ],
];

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
  restoreIvr: 'Stores a former version of the menu again, as a new version. Its tests run first.',
  simulateIvr:
    'Runs the menu with a script of what the caller does, on a virtual clock, by the code that calls run. Nothing is stored and no phone rings.',
  simulateUnsaved:
    'Runs a menu from the body instead of a stored one, as an editor does before saving. Nothing is stored.',
  lintIvr:
    'Checks one menu and what it leads to: missing records, dead ends, loops, prompts that are too long.',
  lint: 'Checks all records of the account, as GET /v1/ivr/{id}/lint checks one menu.',
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
  createProvisioning:
    'Makes an address for one phone of the agent. The first phone that asks gets its configuration with a new SIP password: other phones of the agent need it, too. Nothing changes before.',
  listAgentStates: 'The state of every agent at this moment, over all nodes, by eid.',
  getAgentState: 'The state of one agent at this moment, over all nodes.',
  pauseAgent:
    'No call of a department is offered to the agent until the pause ends, on any node. Calls to the agent by number ring all the same. The pause survives restarts.',
  resumeAgent: 'Departments ring the agent again.',
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
  createNumber: 'Makes a number that callers can dial, and says where its calls go.',
  createTrunk:
    'Connects the account with a SIP provider. Nothing is dialled out before `outbound_prefixes` has an entry.',
  putTrunk: 'Replaces the whole trunk: a member that is not sent gets its default, but the password stays.',
  getTrunkState:
    'Whether the provider has accepted the registration and answers, and how many calls use the trunk at this moment.',
  listTrunkPresets:
    'What the pages of well-known providers say of trunks, with the reason for each setting. None of them was tried with the provider itself.',

  createRecording:
    'Stores a prompt from a file, a URL or a text. The sound is converted at once, and the answer says what callers will hear.',
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
    'The calls that GET /v1/call/records finds, as one file. Cells that a spreadsheet would calculate begin with an apostrophe.',
  getIvrStatistics: 'How often callers came to the menu, what they pressed, and where they hung up.',
  getStatistics:
    'How many calls there were and how they ended, with the figures of each agent and department.',
  listIvrStatistics: 'The totals of all menus for one time, to compare them.',
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
  clickToCall: 'Rings the phones of an agent and connects the one that answers with a number.',
  listAudit:
    'Every change of a record, a token or a setting, and every act on a live call: who, when, with which request.',

  listTokens: 'The access tokens of the account. The secrets are not among what is shown.',
  createToken: 'Makes an access token with no more scopes, and no longer, than the token that makes it.',
  revokeToken:
    'Ends a token from the next request on, with all tokens that were made with it and browsers that signed in with it.',
  getSession: 'For the console: the accounts that the cookie of this browser is good for.',
  createSession:
    'For the console: signs the browser in and sets a cookie. Programs send an access token instead.',
  createSignInLink:
    'Makes a link for a person whose browser is to be signed in. It works once, within 15 minutes; the session may do what the token may, and ends with it.',
  deleteSessions:
    'Ends the sessions of all browsers of the account, and links that were not used. Access tokens stay.',
  putCurrentSession: 'For the console: requests that name no account are for this one from now on.',
  deleteSession: 'For the console: ends the session of this browser.',
  getTelephony: 'What a person types into a phone: address, port and transports.',
  getSettings: 'What the account has chosen, such as how long phones ring and how long records are kept.',
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

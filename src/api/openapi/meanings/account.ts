// What the members of tokens, settings, limits, sessions, the audit and health mean; and of answers that every operation shares.
import type { Catalogue } from '../describe.ts';

/** Members that mean the same in every schema. */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  Success: 'True when the request was carried out, false in every failure.',
  Message: 'What happened, in one sentence for people. Its words may change.',
  id: 'The id of the record, as paths and references name it.',
  version: 'Which version of the record this is: 1 after creation, one more after each change.',
  created_at: 'When the record was created.',
  updated_at: 'When the record was last changed.',
  warnings: 'What people should know about the record: each is a sentence and a stable code.',
  'warnings[].pointer':
    'The member that it is about, as a JSON pointer (RFC 6901); empty: the record as a whole.',
  'warnings[].code': 'What it is, as a stable word.',
  'warnings[].message': 'What it is, in one sentence.',
};

export const ACCOUNT: Catalogue = {
  AccountHealth: {
    checked_at: 'When it was looked at.',
    state: 'The worst of the findings; `well`: there is none.',
    data: 'The findings, errors first; at most 500.',
  },
  HealthFinding: {
    code: 'What is wrong, as a stable word. docs/operating.md explains each.',
    severity: '`error`: callers lose calls or do not hear what they should. `warning`: the rest.',
    concerns:
      'The records that it is about, as references such as `ivr||main`, at most 100; `settings`: those of the account. Empty: the service.',
    count: 'How many records it is about.',
    pointer: 'The member that it is about, as a JSON pointer (RFC 6901); empty: the record as a whole.',
    message: 'What is wrong, in one sentence. Its words may change.',
    values: 'The parts of the sentence that differ, by name, as text.',
  },
  BuiltInPrompts: {
    language: 'The language that was asked for, or that of the account.',
    shipped: 'Whether the service has all of them in that language.',
    missing: 'How many callers hear in English, for want of a recording; 0 in a shipped language.',
    data: 'All of them, in the order of their use.',
  },
  BuiltInPrompt: {
    name: 'What the prompt is called, such as `voicemail-greeting`.',
    text: 'What it says in English.',
    recording_id: 'The id of the recording that takes its place, whether there is one or not.',
    recording_version: 'The version of that recording; null: there is none.',
    translation: 'The text that the recording was made from; null: there is none, or it came as a file.',
    voice: 'The voice that speaks it; null as `translation`.',
  },
  Failure: {
    Message: 'What went wrong, in one sentence for people. Its words may change: branch on `Code`.',
    Code: 'What went wrong, as a stable word for programs. [/docs/errors](/docs/errors) explains each.',
    RequestId:
      'The id of this request, which the log of the service has too. Also in the header `X-Request-Id`.',
    Errors: 'Each wrong member or parameter, at most 100.',
    'Errors[].Pointer': 'Where in the body, as a JSON pointer (RFC 6901); for a query parameter its name.',
    'Errors[].Code': 'What is wrong there, as a stable word. [/docs/errors](/docs/errors) explains each.',
    'Errors[].Message': 'What is wrong there and what is expected, in one sentence.',
    Tests: 'With `tests_failed`: the tests of the menu that failed.',
    'Tests[].name': 'The name of the test, as the menu has it.',
    'Tests[].passed': 'Always false here: tests that passed are not listed.',
    'Tests[].differences': 'What came out otherwise than expected, one sentence each.',
    Scope: 'With `scope_missing`: the scope that the token needs.',
    ReferencedBy: 'With `still_referenced`: the records that point to this one, at most 100.',
    'ReferencedBy[].kind': 'The kind of the record that points here.',
    'ReferencedBy[].id': 'The id of that record.',
    'ReferencedBy[].name': 'The name of that record.',
  },
  Deleted: {
    RemovedFrom: 'With `force=true`: the records whose lists had the deleted one and have it no longer.',
    'RemovedFrom[].kind': 'The kind of the record that was changed.',
    'RemovedFrom[].id': 'The id of the record that was changed.',
    'RemovedFrom[].name': 'The name of the record that was changed.',
    ReferencedBy: 'With `force=true`: the records that still point to the deleted one.',
    'ReferencedBy[].kind': 'The kind of the record that still points to it.',
    'ReferencedBy[].id': 'The id of the record that still points to it.',
    'ReferencedBy[].name': 'The name of the record that still points to it.',
  },
  Token: {
    id: 'The id of the token, for listing and revoking. It is not the secret.',
    name: 'What the token is for, as lists and the audit log show it.',
    expires_in_days: 'After how many days the token expires. Null: never, or with the token that makes it.',
    scopes:
      'What the token may do: `read`, `write`, `calls`, or `admin` for everything. Not sent: what the token that makes it may do.',
    token: 'The access token itself. It is shown this once; only its hash is stored.',
    expires_at: 'When the token stops working. Null: never.',
    parent_id: 'The token that this one was made with and ends with. Null: made on the command line.',
    last_used_at: 'When the token was last used, to about half a minute. Null: never.',
    user_id:
      'The user whose token it is: it may do no more than the role of that user. Null: it belongs to the account as a whole.',
    user_name: 'What that user is called. Null: it belongs to the account as a whole.',
  },
  Settings: {
    sms_templates: 'Whether callers are sent the SMS template of the option that they choose.',
    strict_references:
      'Whether a reference to something that does not exist is refused with 400, instead of a warning.',
    loopback_calls:
      'Whether phones on the machine of the service may dial the numbers of the account without a password.',
    ring_seconds:
      'How long the phones of an agent ring before the call counts as not answered. A department has its own value.',
    several_calls_per_agent:
      'Whether an agent who is in a call, or whose phones ring, may be offered another call.',
    pause_reasons:
      'Why agents pause, up to 50 reasons: the console offers them, and `*46` with the number of one, from 1, names it. A pause by the API may have any other.',
    failed_calls:
      'What the caller gets of a call that fails before anything was answered. `status`: the reason as a SIP status, such as 486 or 404, so that the caller pays nothing. `announce`: an apology before the answer (183), then the status. `answer`: an answer, an apology, and the end.',
    srtp: 'Encrypted sound (SRTP with keys in SDP, RFC 4568) for the phones of agents. `offered`: with every phone that has it, and keys are offered to those that registered over TLS. `required`: a call without it is refused with 488. `off`: never.',
    language:
      'The language of the built-in prompts: places in a queue, voicemail, conference rooms, star codes; and of mails and of headings in sheets and reports. English (`en`) and Hindi (`hi`) are shipped; in another language the prompts are recordings of the account (GET /v1/prompts), and what has none is English. Other recordings are not affected.',
    hold_sound:
      'What a side of a call hears while the other one holds: `music`, `tone` (a soft tone every 4 seconds) or `silence`.',
    music_on_hold:
      'The recording that is heard on hold, again and again, in calls that did not come through a department with music of its own. Null: the built-in music.',
    intercom_auto_answer:
      'Whether `*80` and an intercom number makes the phones of that colleague answer by themselves. False: the code gets 403.',
    parking_spots:
      'How many parking spots the account has, 701 and the numbers behind it. 0: none. Intercom numbers and numbers of the account have precedence.',
    parking_seconds: 'After how many seconds a parked call rings at the agent who parked it.',
    recording_notice_tone:
      'Whether both sides of a recorded call hear a short tone at its start and every 15 seconds.',
    keep_recordings_days: 'After how many days recorded calls are deleted. 0: never.',
    keep_voicemails_days: 'After how many days voicemail messages are deleted. 0: never.',
    max_voicemails: 'How many messages one voicemail box holds, heard ones too. A full box takes no more.',
    keep_call_records_days: 'After how many days call records are deleted. 0: never. Statistics stay.',
    country: 'Whose national numbers are meant, so that `030123456` and `+4930123456` are one number.',
    area_code: 'The area code of local numbers of 7 and 8 digits.',
    max_outbound_calls: 'How many outbound calls may run at once: a bound for the cost of toll fraud.',
    clicks_per_minute: 'How many calls may be asked for by click to call in a minute.',
    callbacks_per_hour:
      'How many call-backs callers of all departments together may ask for in an hour: a bound for the cost of toll fraud.',
    require_publish:
      'Whether changes in the console to menus, numbers, opening hours, announcements, departments, voicemail boxes and rooms wait in a draft until they are published. Requests with an access token take effect at once all the same.',
    service_level_seconds:
      'Callers of a queue who are answered within so many seconds are answered in time: the service level is their share. Statistics of the past follow the present value.',
    timezone: 'The time zone of the account, such as `Asia/Kolkata`: days and hours of reports. Null: UTC.',
    report_daily_to: 'Who gets a report of each day by mail, up to 20 addresses.',
    report_weekly_to: 'Who gets a report of each week, Monday to Sunday, by mail, up to 20 addresses.',
    report_hour:
      'At which hour of `timezone` reports are sent: those of a day on the day after, those of a week on Monday.',
    keep_audit_days: 'After how many days entries of the audit log are deleted. 0: never.',
    wallboard: 'From when on figures of the wallboard are coloured; `PUT /v1/wallboard` sets it, too.',
    'wallboard.waiting_warning': 'With so many callers in a queue it is a warning. 0: never.',
    'wallboard.waiting_critical': 'With so many callers in a queue it is critical. 0: never.',
    'wallboard.wait_warning_seconds': 'When a caller waits for so long it is a warning. 0: never.',
    'wallboard.wait_critical_seconds': 'When a caller waits for so long it is critical. 0: never.',
    'wallboard.service_level_warning':
      'Below so many percent of calls that are answered in time it is a warning. 0: never.',
    'wallboard.service_level_critical':
      'Below so many percent of calls that are answered in time it is critical. 0: never.',
    'wallboard.abandoned_warning': 'With so many percent of callers who gave up it is a warning. 0: never.',
    'wallboard.abandoned_critical': 'With so many percent of callers who gave up it is critical. 0: never.',
    call_buttons:
      'Keys in web pages that visitors call by. One that is removed works no longer, and its calls end.',
    'call_buttons[].key':
      'Chosen by you, public. In addresses the id of the account and a dot stand before it.',
    'call_buttons[].name': 'What the button is called.',
    'call_buttons[].to': 'What visitors call: a number of the account, or a destination.',
    'call_buttons[].origins': 'Origins of the pages that may use it.',
    notification_rules:
      'Who gets which notifications, and from when on. A thing that no rule is about is not noticed.',
    'notification_rules[].name': 'What the rule is called. No two rules have the same.',
    'notification_rules[].types': 'Which notifications it is about.',
    'notification_rules[].departments': 'Ids of the departments whose queues count. None: all.',
    'notification_rules[].waiting': 'A queue is too long with so many callers. 0: however many.',
    'notification_rules[].wait_seconds':
      'A queue is too long when a caller waits for so long. 0: however long.',
    'notification_rules[].disk_percent': 'The disk is nearly full when less than this is free, in percent.',
    'notification_rules[].emails': 'Who gets an e-mail. None: the console alone shows it.',
    'notification_rules[].webhook': 'The id of the webhook that gets it. Null: none.',
    'notification_rules[].quiet_from': 'From then on nothing is sent, as local time. Null: no quiet hours.',
    'notification_rules[].quiet_to': 'Until then nothing is sent; what happened meanwhile follows then.',
    'notification_rules[].timezone': 'Whose local time the quiet hours are.',
    'notification_rules[].pause_minutes':
      'The same thing is sent again after so many minutes at the earliest.',
  },
  Wallboard: {
    service_level_seconds: 'Within how many seconds a call is answered in time.',
    waiting_warning: 'With so many callers in a queue it is a warning. 0: never.',
    waiting_critical: 'With so many callers in a queue it is critical. 0: never.',
    wait_warning_seconds: 'When a caller waits for so long it is a warning. 0: never.',
    wait_critical_seconds: 'When a caller waits for so long it is critical. 0: never.',
    service_level_warning:
      'Below so many percent of calls that are answered in time it is a warning. 0: never.',
    service_level_critical:
      'Below so many percent of calls that are answered in time it is critical. 0: never.',
    abandoned_warning: 'With so many percent of callers who gave up it is a warning. 0: never.',
    abandoned_critical: 'With so many percent of callers who gave up it is critical. 0: never.',
  },
  Notification: {
    id: 'The id of the notification; a later one has a greater id.',
    type: 'What it is about: `trunk_down`, `queue_too_long`, `voicemail_received` or `disk_nearly_full`.',
    subject: 'What it is about: `trunk||…`, `department||…`, `voicemail||…` or `node||…`.',
    name: 'What the subject was called then.',
    facts: 'What was true of it. What does not concern the type is null.',
    'facts.problem': 'Of a trunk: why it is down.',
    'facts.waiting': 'Of a queue: how many callers waited.',
    'facts.wait_ms': 'Of a queue: how long the first of them had waited.',
    'facts.caller': 'Of a message: who left it. Null: withheld.',
    'facts.message': 'Of a message: its id.',
    'facts.free_percent': 'Of a disk: free space in percent.',
    opened_at: 'Since when.',
    closed_at: 'Until when. Null: it goes on. A new message is closed at once.',
  },
  Node: {
    id: 'The id of the node: its `NODE_ID`.',
    state:
      '`running`; `draining`: it takes no new calls; `dead`: not seen for 5 s, and its calls are recorded as interrupted; `left`: it ended in order.',
    drain: 'Whether an operator has asked it to take no new calls.',
    calls: 'How many calls it has, as it said when it was last seen.',
    version: 'Which release of Dialtree the node runs, such as `0.1.0`.',
    started_at: 'When the process started.',
    last_seen_at: 'When it was last seen, by the database’s clock.',
    answers_you: 'Whether it is the node that answers this request.',
  },
  Limits: {
    private_networks:
      'Whether trunks may have loopback, private and link-local addresses, and hosts that resolve to them.',
    wide_networks: 'Whether addresses of trunks may be networks wider than /24 (IPv6: /48).',
    max_calls: 'How many calls the account may have at once: inbound, internal and outbound together.',
    max_calls_per_agent: 'How many calls one agent may make or be offered at once.',
    max_legs: 'How many sides of calls the account may have at once, ringing phones included.',
    max_trunk_calls: 'The highest `max_calls` that a trunk of the account may have.',
    max_outbound_calls: 'The highest value that the setting `max_outbound_calls` may have.',
    max_records: 'How many records of configuration the account may store.',
    max_configuration_mb:
      'How many MB of records the account may store, with their former versions and deleted ones that can be restored.',
    max_recordings_mb: 'How many MB of prompts the account may store, former versions included.',
    max_voicemail_mb: 'How many MB of voicemail messages the account may store.',
    max_call_recordings_mb: 'How many MB of recorded calls the account may store.',
    max_trunks: 'How many trunks the account may have, disabled ones too.',
    max_tokens: 'How many access tokens the account may have; expired ones do not count.',
    used: 'What the account uses of these limits at this moment.',
    'used.records': 'How many records of configuration are stored, out of `max_records`.',
    'used.configuration_bytes':
      'How many bytes of records, former versions and deleted records are stored, out of `max_configuration_mb`.',
    'used.recordings_bytes': 'How many bytes of prompts are stored, out of `max_recordings_mb`.',
    'used.voicemail_bytes': 'How many bytes of voicemail messages are stored, out of `max_voicemail_mb`.',
    'used.call_recordings_bytes':
      'How many bytes of recorded calls are stored, out of `max_call_recordings_mb`.',
  },
  Session: {
    accounts: 'The accounts that this browser is signed in to, the current one first.',
    'accounts[].id': 'The id of the account, for the header `Dialtree-Account`.',
    'accounts[].name': 'What the operator called the account.',
    'accounts[].current': 'Whether requests that name no account are for this one.',
    'accounts[].operator': 'Whether the browser may see and drain nodes (`GET /v1/nodes`).',
    'accounts[].user': 'The user who is signed in. Null: a token or link of the account as a whole.',
    'accounts[].owner_missing':
      'Whether the account has no user yet, so that this browser may make the owner (`POST /v1/owner`).',
    oidc: 'What the OpenID Connect provider is called. Null: there is none.',
    email_resets: 'Whether a forgotten password can be reset by e-mail: an SMTP server is set up.',
    token: 'An access token of the account to sign in to.',
    email: 'The e-mail address of a user, in place of a token; with `password`.',
    account:
      'The id or the name of the account that is meant, where users of several have this e-mail address. Without it the password is compared with those of the first four.',
    password: 'The password of that user.',
    code: 'The code of the authenticator app or a recovery code, where the user has a second factor.',
    link: 'The code of a one-time link, as `dialtree sign-in` prints it.',
  },
  SignedIn: {
    account: 'The account that the browser is signed in to now.',
    'account.id': 'The id of the account, for the header `Dialtree-Account`.',
    'account.name': 'What the operator called the account.',
  },
  SignInLink: {
    code: 'The code of the link, which `POST /v1/session` takes as `link`.',
    path: 'What comes after the address of the service: the page that signs the browser in.',
    expires_at: 'When the link ends, used or not.',
  },
  SignedOut: { browsers: 'How many browsers were signed in.' },
  CurrentSessionInput: { account: 'The id of an account that this browser is signed in to.' },
  AuditEntry: {
    id: 'The id of the entry; later entries have greater ones.',
    at: 'When the change was made.',
    actor_id: 'The id of the token or session that made the change, or `command line`.',
    actor_name: 'The name that the user had then, with the token of theirs; or the name of the token.',
    user_id: 'The id of the user who made the change. Null: a token of the account as a whole.',
    changes: 'What the change made different, member by member. Null: not known, or nothing.',
    'changes[].member': 'The member of the record that became different.',
    'changes[].before': 'What it was before, shortened to 500 characters. Null: it was not there.',
    'changes[].after': 'What it is since, shortened to 500 characters. Null: it is gone.',
    'changes[].secret': 'True: it is a secret, and its values are not kept.',
    request_id: 'The id of the request, as in the log of the service.',
    action: 'What was done: `create`, `update`, `delete`, `hang_up`, `transfer`, `click_to_call` and others.',
    kind: 'The kind of the record that was changed.',
    record_id: 'The id of the record that was changed.',
    record_name: 'The name or number that the record had then, also after it was changed or deleted.',
    version: 'The version that the change made. Null: the record has no versions.',
  },
  DeletedRecord: {
    id: 'The id of the deletion, which restoring and erasing take. Later deletions have greater ones.',
    kind: 'What it was: `ivr`, `agent`, `department` and so on.',
    record_id: 'The id that the record had; of an agent the eid. It has it again when it is restored.',
    name: 'The name or number that the record had.',
    version: 'The version that the record had. A restored record has the next one.',
    deleted_at: 'When it was deleted.',
    deleted_by: 'The name of the token that deleted it.',
    kept_until: 'When it is erased. An account with many deletions keeps the latest 1,000.',
  },
  Restored: {
    kind: 'What it is: `ivr`, `agent`, `department` and so on.',
    record_id: 'The id of the record; of an agent the eid.',
  },
  References: {
    data: 'What points to the record: a destination, a list of agents, a setting.',
    'data[].kind': 'The kind of the record that points to it; `settings` for a setting of the account.',
    'data[].id': 'The id of that record, of an agent the eid, or the name of the setting.',
    'data[].name': 'The name or number of that record.',
    is_complete: 'False: more than 100 point to it, and the others are not listed.',
  },
  Health: { status: 'Always `alive`: the process answers.' },
  Readiness: {
    status: 'Always `ready`: what is wrong is answered with 503 or 507.',
    warnings: 'What does not prevent calls, but needs attention soon, such as a disk that is almost full.',
  },
};

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
    keep_audit_days: 'After how many days entries of the audit log are deleted. 0: never.',
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
    max_recordings_mb: 'How many MB of prompts the account may store, former versions included.',
    max_voicemail_mb: 'How many MB of voicemail messages the account may store.',
    max_call_recordings_mb: 'How many MB of recorded calls the account may store.',
    max_trunks: 'How many trunks the account may have, disabled ones too.',
    max_tokens: 'How many access tokens the account may have; expired ones do not count.',
    used: 'What the account uses of these limits at this moment.',
    'used.records': 'How many records of configuration are stored, out of `max_records`.',
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
    token: 'An access token of the account to sign in to.',
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
    actor_id: 'The id of the token that made the change, or `command line`.',
    actor_name: 'The name that the token had then.',
    request_id: 'The id of the request, as in the log of the service.',
    action: 'What was done: `create`, `update`, `delete`, `hang_up`, `transfer`, `click_to_call` and others.',
    kind: 'The kind of the record that was changed.',
    record_id: 'The id of the record that was changed.',
    record_name: 'The name or number that the record had then, also after it was changed or deleted.',
    version: 'The version that the change made. Null: the record has no versions.',
  },
  Health: { status: 'Always `alive`: the process answers.' },
  Readiness: {
    status: 'Always `ready`: what is wrong is answered with 503 or 507.',
    warnings: 'What does not prevent calls, but needs attention soon, such as a disk that is almost full.',
  },
};

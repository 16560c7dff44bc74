// What the members of call records, recorded calls, live calls and statistics mean.
import { AGENT_STATES } from '../../../domain/agent-state.ts';
import type { Catalogue } from '../describe.ts';

const OUTCOME =
  '`answered`; `transferred`: answered, then passed on; `missed`: a phone rang, none answered; `unreachable`: nothing could ring; `abandoned`: the caller hung up in a menu or queue; `voicemail`: a message was left; `blocked`: by the block list; `refused`: not accepted; `interrupted`: ended from outside; `completed`: the flow came to its own end.';

const LIVE_CALL_ID = {
  call_id: 'The id of a call in progress, as GET /v1/live_calls has it.',
  id: 'The former name of `call_id`, which goes on working.',
};

/** The members of a call that records, recordings, live calls and events share. */
export const CALL = {
  id: 'The id of the call, the same in records, live calls, events, webhooks and recordings.',
  call_id: 'The id of the call, the same in records, live calls, events, webhooks and recordings.',
  sip_call_id: 'The Call-ID of the SIP dialog with the caller, as traces of the network show it.',
  direction:
    '`inbound`: from a trunk; `internal`: from a phone of the account to the account; `outbound`: to an external number.',
  caller: 'The number of the caller, without separators. Null: withheld.',
  caller_name:
    "The name of the contact with the caller's number, or else the name that the caller's side gave. Null or empty: none.",
  dialled:
    'The number that was dialled, as it arrived: of the Request-URI, or else of P-Called-Party-ID or To.',
  entry: 'Where the call came in, such as `ivr||main`.',
  started_at: 'When the call began.',
};

const step = {
  at_ms: 'Milliseconds since the call began.',
  code: 'What happened, as a stable word such as `option-matched`.',
  text: 'What happened and why, in one sentence.',
  node: 'Where in the flow it happened, such as `ivr||main`.',
  node_name: 'In a simulation: the name of that record.',
  keys: 'The keys that the caller pressed; `•` for each in a sensitive menu.',
  destination: 'Where the call goes next.',
  recording: 'The id of the recording that is played.',
  rung: 'The destinations whose phones ring.',
};

const recorded = {
  ...CALL,
  call_id: 'The id of the call, as its record has it.',
  started_at: 'When the recording began.',
  duration_ms: 'How long it is, in milliseconds.',
  bytes: 'How large the stored file is, in bytes.',
  audio: 'The path at which the sound can be heard.',
};

const within = (list: string, members: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(members).map(([name, text]) => [`${list}[].${name}`, text]));

/** Also of events. */
export const transfer = (member: string, what: string): Record<string, string> => ({
  [member]: `${what} Null: it was not passed on.`,
  [`${member}.call_id`]: 'The id of the other call, which has a record of its own.',
  [`${member}.by`]: 'Who asked for the transfer.',
  [`${member}.by.kind`]: '`agent`: on the phone; `operator`: by POST /v1/call/transfer.',
  [`${member}.by.id`]: 'The eid of the agent, or the id of the access token.',
  [`${member}.by.name`]: 'The name of the agent or of the access token.',
  [`${member}.attended`]:
    'Whether the two calls became one: an attended transfer. False: the later call began with the transfer.',
});

const menu = {
  visits: 'How often callers arrived at the menu.',
  chosen: 'Visits that ended with an option.',
  options:
    'How often each option was chosen, by its keys. Of a sensitive menu only by how many keys (`••••`).',
  invalid: 'Wrong entries, those before a retry included.',
  invalid_rate: 'The share of wrong entries in all attempts, from 0 to 1. Null: there were none.',
  invalid_final: 'Visits that went on to `invalid_destination`.',
  timeouts: 'Times without a key, those before a retry included.',
  timeout_rate: 'The share of times without a key in all attempts, from 0 to 1. Null: there were none.',
  timeout_final: 'Visits that went on to `timeout_destination`.',
  abandoned: 'Visits during which the caller hung up.',
  abandoned_rate: 'The share of visits during which the caller hung up, from 0 to 1. Null: there were none.',
  abandoned_at:
    'Where callers hung up. `queue`, `ringing` and `elsewhere` are behind the menu and not part of `abandoned`.',
  'abandoned_at.prompt': 'Hung up while the prompt of the menu played.',
  'abandoned_at.waiting': 'Hung up while the menu waited for the first key.',
  'abandoned_at.collecting': 'Hung up between two keys.',
  'abandoned_at.retrying': 'Hung up during the prompt before another attempt.',
  'abandoned_at.closing': 'Hung up during the prompt before the final destination.',
  'abandoned_at.queue': 'Hung up in the queue of a department, after this menu.',
  'abandoned_at.ringing': 'Hung up while a phone rang, after this menu.',
  'abandoned_at.elsewhere': 'Hung up at any other place after this menu, before an answer.',
  cut: 'Visits that ended with the call, but not by the caller.',
  typed_ahead: 'Visits whose first keys came before the menu did.',
  time_to_key: 'From the arrival to the first key of a visit.',
  'time_to_key.count': 'How many visits had a key.',
  'time_to_key.average_ms': 'The average, in milliseconds. Null: no visit had a key.',
  'time_to_key.p50_ms':
    'Half of the visits took this long or less, in milliseconds. Null: longer than 60 s, or no key at all.',
  'time_to_key.p90_ms':
    'Nine of ten visits took this long or less, in milliseconds. Null: longer than 60 s, or no key at all.',
};

const span = {
  from: 'The beginning of the time that is counted, with the offset of `timezone`.',
  to: 'The end of the time that is counted, not included.',
  timezone: 'The time zone of days and hours.',
  by: 'How `data` is divided: by `day`, by `hour`, or `none` for totals alone.',
  totals: 'The figures of the whole time.',
  data: 'The figures of each day or hour, in order.',
  'data[].start': 'When the day or hour begins.',
};

const person = {
  answered: 'Calls that were answered.',
  not_answered: 'Calls that rang and were not answered.',
  talk_ms: 'Milliseconds of conversation.',
  average_talk_ms: 'The average conversation, in milliseconds. Null: there was none.',
};

/** The queue figures of a department, and of all departments together. */
const queueFigures = (member: string): Record<string, string> => ({
  [member]:
    'What became of callers in queues: docs/statistics.md. Calls of earlier versions are not counted here.',
  [`${member}.calls`]: 'Calls that came to a queue; of all together each counts once.',
  [`${member}.answered`]: 'Calls that were answered there.',
  [`${member}.answered_in_time`]: 'Calls that were answered there within `service_level_seconds`.',
  [`${member}.abandoned`]: 'Calls whose caller hung up there.',
  [`${member}.left`]: 'Calls that left it otherwise: to voicemail, another destination, a call-back.',
  [`${member}.service_level`]:
    'The share of `answered_in_time` in `calls`, from 0 to 1. Null: there were no calls.',
  [`${member}.average_answer_ms`]:
    'The average time from the arrival to the answer, in milliseconds. Null: none was answered.',
  [`${member}.abandoned_rate`]:
    'The share of `abandoned` in `calls`, from 0 to 1. Null: there were no calls.',
  [`${member}.average_abandon_ms`]:
    'After how many milliseconds callers hung up, on average. Null: none did.',
});

const passedOn = transfer('data.transferred_to', 'The call that this one was passed on to, and who asked.');

export const CALLS: Catalogue = {
  CallEndedEvent: passedOn,
  CallMissedEvent: passedOn,
  CallRecord: {
    ...CALL,
    schema: '1: an old record, whose outcome and times follow the rules of then; 2: a present one.',
    identity:
      'What the trunk told of the caller and of the way of the call, in SIP headers that are believed from trunks only. Null: nothing.',
    'identity.verstat':
      "Whether the network verified the caller's number (STIR/SHAKEN): `passed`, `failed`, `none` (it says that it did not). Null: it says nothing.",
    'identity.attestation':
      'How well the originating network knows the caller: `A` fully, `B` partially, `C` as a gateway. Null: not said.',
    'identity.diversions':
      'The numbers that diverted the call here (Diversion), the latest first, at most 5.',
    'identity.diversions[].number': 'The number that diverted it. Null: withheld.',
    'identity.diversions[].reason':
      'Why, such as `user-busy`, `no-answer` or `unconditional`. Empty: not said.',
    'identity.history':
      'The numbers that the call was sent to (History-Info), the earliest first, at most 10.',
    'identity.history[].number': 'The number. Null: withheld.',
    'identity.history[].index': 'Its place, such as `1.1`: the first target of the entry `1`.',
    'identity.history[].cause': 'Why the call left it, a status of SIP or a cause of Q.850. Null: not said.',
    web: 'Of a call that came from a web page by a phone session. Null: any other call.',
    'web.button': 'The key of the call button. Null: the call came from the console.',
    'web.page': 'The address of the page, as the page gave it. Empty: not given.',
    callback: 'Of a call that was made to call someone back. Null: any other call.',
    'callback.id': 'The id of the call-back.',
    'callback.call_id': 'The id of the call in which it was asked for.',
    'callback.attempt': 'Which attempt; the first is 1.',
    ...transfer('transferred_from', 'The call that was passed on to become this one, and who asked.'),
    ...transfer('transferred_to', 'The call that this one was passed on to, and who asked.'),
    variables:
      'The variables of the call at its end, by name. The value of a sensitive one is `•`. Absent: there were none.',
    ended_at: 'When the call ended.',
    outcome: `How the call ended. ${OUTCOME} \`failed\` and null: only of old records.`,
    end_code: 'Why the call ended, as a stable word such as `caller-hung-up`.',
    cause: 'Why the call ended, as an ITU-T Q.850 cause.',
    answered_by: 'The eid of the agent who answered. Null: no agent did.',
    wait_ms: 'Milliseconds in queues while no phone rang. Null: an old record.',
    ring_ms: 'Milliseconds during which at least one phone rang.',
    talk_ms: 'Milliseconds of conversation, from the answer on.',
    steps: 'Everything that happened in the call, in order, with its reason.',
    ...within('steps', step),
    duration_ms: 'How long the call lasted from its first to its last moment, in milliseconds.',
    queue_ms: 'Milliseconds in the queues of departments.',
    end: 'Why the call ended.',
    'end.code': 'Why it ended, as a stable word such as `caller-hung-up`.',
    'end.cause': 'Why it ended, as an ITU-T Q.850 cause.',
    'end.word': 'The name of that cause.',
    'end.text': 'Why it ended, in one sentence.',
    recording: 'The id of the recorded conversation. Null: there is none.',
    voicemail: 'The id of the voicemail message that was left. Null: there is none.',
    keys: 'Each key that the caller pressed outside of conversations, at most 200.',
    'keys[].at_ms': 'Milliseconds since the call began.',
    'keys[].key': 'The key; `•` in a sensitive menu.',
    'keys[].source': 'How the key arrived: `rfc4733` (RTP events), `info` (SIP INFO) or `in-band` (tones).',
    legs: 'Each side of the call: the caller and every phone that was rung.',
    'legs[].role': 'Whether this side called or was called.',
    'legs[].number': 'The number of this side: who called, or which number was rung.',
    'legs[].agent_name': 'The name that the agent had at the time of the call. Null: none of an agent.',
    'legs[].began_at_ms':
      'When this side began, in milliseconds since the call began; below 0 where it is older than the call.',
    'legs[].agent': 'The eid of the agent whose phone it is. Null: none of an agent.',
    'legs[].ringing_at_ms':
      'When the phone began to ring, in milliseconds since the call began. Null: it did not.',
    'legs[].answered_at_ms': 'When it was answered, in milliseconds since the call began. Null: it was not.',
    'legs[].ended_at_ms': 'When this side ended, in milliseconds since the call began.',
    'legs[].ended_by': 'Who ended it: `us` (this service), `peer` (the phone), `timeout` or `network`.',
    'legs[].outcome': 'How this side ended: `ended` after an answer; the others without one.',
    'legs[].status': 'The SIP status that the phone answered last. Null: none.',
    'legs[].cause': 'The ITU-T Q.850 cause that the phone gave. Null: none.',
    'legs[].reason': 'Why this side ended, in one sentence.',
    'legs[].packets_sent': 'RTP packets that were sent to this side.',
    'legs[].packets_received': 'RTP packets that came from this side.',
    'legs[].packets_lost': 'RTP packets of this side that did not arrive.',
    'legs[].jitter_ms': "The jitter of this side's RTP packets (RFC 3550), in milliseconds.",
    'legs[].buffer_ms':
      "The delay that the jitter buffer added to this side's sound on the way to the other side or the conference, on average, in milliseconds. 0: it was passed on as it came.",
    'legs[].packets_late':
      'RTP packets of this side that arrived too late for the jitter buffer and were not played.',
    'legs[].round_trip_ms':
      'The time from this service to the phone and back, in milliseconds, as the last RTCP report of the phone tells it. Null: there was none.',
    'legs[].encryption':
      'How the sound of this side was encrypted: `sdes`, SRTP with keys in SDP (RFC 4568); `dtls`, the DTLS-SRTP of a browser that connected; or `none`. Of several ways in one call the weakest. Null: there was no sound.',
    'legs[].crypto_suite': 'The crypto suite of SRTP with `sdes`, such as `AES_CM_128_HMAC_SHA1_80`.',
    'legs[].keys_over_tls':
      'Whether the keys of `sdes` went over TLS between the peer and this service. False: they could be read on the way, and so could the sound.',
    'legs[].one_way': 'Whether sound went in one direction only.',
    ladder: 'The SIP messages of all sides in order, at most 200.',
    'ladder[].at_ms': 'Milliseconds since the call began; below 0 for a side that was there before.',
    'ladder[].leg': 'The place in `legs`. Null: the side that was transferred away.',
    'ladder[].direction': '`in`: to this service; `out`: from it.',
    'ladder[].what':
      'The method, such as `INVITE`, or the status and the method that it answers, such as `200 INVITE`.',
    'ladder[].transport': 'How the message was carried.',
    'ladder[].user_agent': 'What the peer calls itself, beside its first message.',
    'ladder[].phone': 'Which phone, where several of one agent rang.',
    ladder_left_out: 'How many SIP messages there were beyond those in `ladder`.',
    events: "The inputs of the call's state machine: replayed, they give the same call.",
    events_left_out:
      'How many events there were after those in `events`: where it is not 0, a replay gives the beginning of the call alone.',
    'events[].type': 'What happened, such as `key-pressed`.',
    'events[].atMs': 'Milliseconds since the call began.',
  },
  Voicemail: {
    ...recorded,
    id: 'The id of the message, for hearing, marking and deleting it.',
    box: 'The id of the voicemail box. Null: the box was deleted.',
    heard: 'Whether the message is marked as heard.',
    heard_at: 'When it was marked as heard. Null: it is not.',
  },
  CallRecording: {
    ...recorded,
    id: 'The id of the recording, for hearing and deleting it.',
    agent: 'The eid of the agent in the conversation. Null: none.',
  },
  LiveCall: {
    ...CALL,
    state:
      'What the call does now: `calling_agent` (a click to call whose agent has not answered), `menu`, `announcement`, `queue`, `ringing`, `connected`, `voicemail`, `bot`, `room` or `ending`.',
    node: 'Where in the flow it is, such as `ivr||main`. Null: nowhere yet.',
    agent: 'The eid of the agent whom the caller talks to. Null: none.',
    waiting_since:
      'Since when the caller waits in the queue of the department that `node` names, also while phones ring. Null: does not wait in a queue.',
    waited_ms: 'How long the caller has waited in queues. Null: waits now, since `waiting_since`.',
    department:
      'The id of the department that the caller waits for, is rung at or talks to an agent of. Null: of none.',
    ringing: 'The eids of the agents whose phones may still answer it; empty: none rings.',
    answered_at: 'When both sides were connected. Null: they are not yet.',
    consultation:
      'The id of the call in which the agent of this one consults somebody; its other side waits meanwhile. Null: none.',
    variables: 'The variables of the call now, by name. The value of a sensitive one is `•`.',
    consults_for: 'The id of the call that waits for this consultation. Null: it is none.',
    node_id: 'The id of the node that has the call (NODE_ID).',
  },
  LiveState: {
    at: 'The time of the service, by which all other times are.',
    telephones:
      'Whether there are telephones. False: the service was started with SIP=off, and nothing changes.',
    calls: 'The calls of the account that are in progress.',
    agents: 'The state of every agent, with phones.',
    trunks: 'The state of every trunk.',
    queues: 'Departments in whose queues callers wait; of all others none does.',
    unanswered_nodes:
      'Ids of nodes that did not answer: what they know is missing. Absent when all answered.',
  },
  LiveQueue: {
    department: 'Whose queue it is, by id.',
    waiting: 'How many callers wait.',
    longest_since: 'Since when the first of them waits.',
  },
  Transferred: { consultation: 'The id of the consultation, a call of its own. Absent: there is none.' },
  CallCreated: { id: CALL.id, call_id: CALL.call_id },
  HangUpCallInput: LIVE_CALL_ID,
  TransferCallInput: {
    ...LIVE_CALL_ID,
    destination: 'Where that side of the call is sent.',
    party: 'Which side is sent there; the other is hung up.',
    consult:
      'Whether the other side, an agent, is connected to the destination first. That party waits until POST /v1/call/transfer/complete or …/cancel.',
  },
  CompleteTransferInput: LIVE_CALL_ID,
  CancelTransferInput: LIVE_CALL_ID,
  ListenInInput: {
    ...LIVE_CALL_ID,
    agent: 'The eid of the agent whose phones ring to listen.',
    mode: '`monitor`: hears both sides and is heard by neither; `whisper`: is heard by the agent of the call alone; `barge`: by both.',
  },
  AddPartyInput: {
    call_id: LIVE_CALL_ID.call_id,
    number: 'Who is rung: an intercom number, or an external one that a trunk lets agents call.',
  },
  PlaceCallInput: {
    number: 'The number that is dialled, which a trunk of the account must be able to dial.',
    destination: 'Where whoever answers is put.',
    variables: 'Variables that the call begins with, by name. Built-in ones cannot be set.',
  },
  ClickToCallInput: {
    agent: 'The eid of the agent whose phones ring first.',
    number:
      'The number that is called when the agent has answered: an intercom number, a number of the account, or an external one.',
  },
  MenuStatistics: { ivr: 'The id of the menu.', ...span, ...menu },
  IvrsStatistics: {
    ...span,
    data: 'The totals of each menu, most visited first, at most 5,000. Only days that were counted since this operation exists.',
    'data[].ivr': 'The id of the menu.',
    ...menu,
    left_off: 'How many menus with fewer visits are not listed.',
  },
  CallStatistics: {
    ...span,
    calls: 'Calls that began in this time.',
    inbound: 'Calls from trunks.',
    internal: 'Calls from phones of the account to the account.',
    outbound: 'Calls to external numbers.',
    answered: 'Calls that an agent or an external number answered.',
    transferred: 'Calls that an agent or an operator passed on to another destination.',
    missed: 'Calls that rang at least one phone, and none answered.',
    unreachable: 'Calls that came to a destination where nothing could ring.',
    abandoned: 'Calls whose caller hung up in a menu or queue.',
    voicemail: 'Calls in which a message was left.',
    blocked: 'Calls that the block list refused.',
    refused: 'Calls that were not accepted: no such number, or a limit.',
    interrupted: 'Calls that were ended from outside: by an operator, a stop or a fault.',
    completed: 'Calls that came to the end of the flow itself.',
    failed: 'Calls recorded by former versions that ended in any other way.',
    talked:
      'Calls that an agent or an external number answered, whatever their outcome: also those that an operator hung up later.',
    answer_rate: 'The share of `talked` among all calls, from 0 to 1. Null: there were no calls.',
    wait_ms: 'Milliseconds in queues while no phone rang, all calls together.',
    ring_ms: 'Milliseconds of ringing, all calls together.',
    talk_ms: 'Milliseconds of conversation, all calls together.',
    average_talk_ms: 'The average conversation of `talked` calls, in milliseconds. Null: there was none.',
    average_duration_ms:
      'The average call from beginning to end, in milliseconds. Null: there were no calls.',
    service_level_seconds: 'Within how many seconds an answer is in time: the setting of the account.',
    ...queueFigures('queue'),
    ...queueFigures('departments[].queue'),
    agents: 'The figures of each agent who was rung in this time.',
    ...within('agents', person),
    'agents[].state_ms':
      'Milliseconds in each state of `GET /v1/agent_states`, as far as the agent was at work within a day. Written every two minutes.',
    ...Object.fromEntries(
      AGENT_STATES.map((state) => [`agents[].state_ms.${state}`, `Milliseconds in the state \`${state}\`.`]),
    ),
    'agents[].signed_in_ms':
      'Milliseconds at work with a phone that can ring: talking, ringing, wrap-up, free and paused together.',
    'agents[].paused_ms': 'Milliseconds of pauses.',
    'agents[].occupancy':
      'The share of talking, ringing and wrap-up in the time at work without pauses, from 0 to 1. Null: not at work.',
    'agents[].eid': 'Which agent, by eid.',
    'agents[].name': 'The name of the agent. Null: deleted.',
    'agents[].offered': 'Calls that rang this agent.',
    departments: 'The figures of each department that calls came to in this time.',
    ...within('departments', person),
    'departments[].id': 'Which department, by id.',
    'departments[].name': 'The name of the department. Null: deleted.',
    'departments[].calls': 'Calls that came to the department.',
    'departments[].abandoned': 'Calls whose caller hung up while there.',
    'departments[].average_wait_ms':
      'The average wait of callers who were answered, in milliseconds. Null: there were none.',
    'departments[].callbacks_asked': 'Callers who left the queue to be called back.',
    'departments[].callbacks_done': 'Callers who were called back and answered.',
    'departments[].callbacks_failed': 'Call-backs that were given up or cancelled.',
    steps: 'The figures of each collect, request and stream that calls came to in this time.',
    'steps[].kind': 'Whether it asks callers (`collect`), a system (`request`) or a voice bot (`stream`).',
    'steps[].id': 'Which record, by id.',
    'steps[].name': 'The name of the record. Null: deleted.',
    'steps[].visits': 'How often calls came there.',
    'steps[].failed': 'How often they went on to `failed_destination`.',
    'steps[].failed_rate': 'The share of `failed` among the visits, from 0 to 1. Null: there were none.',
    'steps[].average_ms':
      'Of a request the average time to its answer, of a stream the average conversation, in milliseconds. Null: there was none.',
  },
};

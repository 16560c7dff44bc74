// What the members of agents, teams, departments and their phones mean.
import type { Catalogue } from '../describe.ts';

const AGENT_NOW = {
  eid: 'Which agent, by eid.',
  state:
    'The first of these that is true: `talking` in a call, also one that the agent dials; `ringing`; `blocked`; `off_duty` outside the time group; `paused`; `unreachable` without a phone that answers; `wrap_up` after a call from a queue; `free`.',
  paused: 'The pause that the agent is in, whatever the state. Null: none.',
  'paused.reason': 'Why, as it was given; empty: not said.',
  'paused.since': 'When the pause began.',
  signed_out: 'Ids of the departments that the agent is signed out of.',
  since: 'When that state began. Null: before the service started.',
  phones: 'The registered phones of the agent.',
  'phones.registered': 'How many are registered.',
  'phones.reachable': 'How many of them answer.',
  'phones.none_since':
    'When the last one ceased to be registered. Null: one is, or none was since the service started.',
};

export const PEOPLE: Catalogue = {
  Agent: {
    id: 'The id of the record of the agent, as text. Paths and destinations name agents by `eid`.',
    name: 'The name of the agent, as the console and call records show it.',
    follow_me_number:
      "An external number that rings together with the agent's phones, where a trunk may dial it. Empty: none.",
    eid: 'The id that paths and destinations use: `extension||100001` rings the agent with eid 100001. Without it: the service gives one.',
    intercom:
      "The internal number of the agent, and the user name of the agent's phones. Example: `1001`. Without it: the service gives one.",
    calls_answered: 'How many calls this agent has answered so far.',
    product_clicktocall: 'Whether click to call may ring this agent: 1 yes, 0 no.',
    team_id: "The id of the agent's team. Null: none.",
    team_name: 'The name of that team. Null: none.',
    custom_status: '1: the agent is blocked, and no call is offered. 0: not blocked.',
    timegroup_name: "The name of the time group that has the agent's hours. Null: none.",
    timegroup_id:
      'The id of the time group outside of which no call is offered to the agent. Null: at any time.',
    failover_destination:
      'Where a call goes that the agent does not take: not answered, busy, blocked, off duty or without a phone. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    failover_destination_name: 'The name of that destination. Null: there is none.',
    departments: 'The departments that ring this agent.',
    'departments[].name': 'What the department is called.',
    'departments[].id': 'The id of the department, as `department||<id>` names it.',
    sip_sha256:
      "Whether the agent's phones must authenticate with SHA-256 (RFC 8760). Many phones know MD5 alone.",
    record_calls: 'Whether every call with this agent is recorded.',
    do_not_disturb:
      'Whether the agent wants no calls: departments offer none, and a direct one goes where calls to a busy agent go. Phones set it with `*78` and `*79`.',
    forward_always:
      'Where every direct call to the agent goes on to, without ringing. Null: it is not forwarded. Calls of departments are never forwarded. A number is dialled by trunks with `agents_may_call` alone.',
    forward_busy:
      'Where a direct call goes on to while the agent is busy, before `failover_destination`. Null: it is not forwarded.',
    call_waiting:
      'Whether a direct call rings while the agent talks. Null: as the setting `several_calls_per_agent` says, which calls of departments always go by. Phones set it with `*70` and `*71`.',
    after_call_destination:
      'Where the caller goes on when the agent of a direct call hangs up first, for example to a survey. Null: the call ends.',
    forward_no_answer:
      'Where a direct call goes on to that the agent does not answer, or that no phone of the agent can be rung for, before `failover_destination`. Null: it is not forwarded.',
    sip_password: "The password of the agent's phones. It is shown this once and stored as a digest.",
  },
  WithPassword: {
    sip_password: "The new password of the agent's phones, where one was made. It is shown this once.",
  },
  Provisioning: {
    code: 'The code in the addresses. It works once, until `expires_at`, and ends with the SIP password that the agent has now.',
    expires_at: 'When the addresses end, used or not.',
    paths: 'What comes after the address of the service (`https://…`), by the kind of the phone.',
    'paths.yealink':
      'The address of the file for Yealink phones, which also take it as a folder with their own file in it.',
    'paths.snom': 'The address of the file for Snom phones.',
    'paths.grandstream': 'The folder for Grandstream phones, which add the name of their file.',
    'paths.linphone': 'The address of the file for Linphone, also as its QR code.',
    'paths.zoiper': 'What Zoiper asks for, with the code behind the token URL of your page at Zoiper.',
  },
  ProvisioningInput: { hours: 'How long the address works if no phone uses it.' },
  Team: {
    id: 'The number of the team, which agents have as `team_id`.',
    name: 'The name of the team, as the console and agents show it.',
  },
  Department: {
    name: 'The name of the department, as the console and records show it.',
    description: 'A note for people who configure the department. Callers do not hear it.',
    agents: 'The agents that are rung, by eid, in the order that `in_order` and `round_robin` follow.',
    agent_levels:
      'A level from 1 to 10 by eid, 1 where none is given. Agents of a lower level are rung first, those of a higher one when none of the lower is free or answers; `strategy` applies within a level. Use 1 for those who know the subject best. A PATCH merges it: null removes one.',
    priority:
      'From 0 to 100. An agent who serves queues of several departments gets the callers of the department with the highest priority first, and among equal ones the caller who has waited longest.',
    strategy:
      'Who is rung first: `simultaneous` all at once; the others one after the other: `in_order` from the top of the list, `random`, `round_robin` from behind the agent who was rung last, `longest_idle` first who has been without a call for longest.',
    ring_seconds: 'How long one agent rings before the next is tried.',
    ring_together:
      'How many agents ring at once by another strategy than `simultaneous`; the first who answers gets the call. Those of one ring are of one level.',
    failover_destination:
      'Where a caller goes who is not answered, or leaves the queue. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    full_destination:
      'Where a caller goes who finds `max_waiting` callers in the queue. Null: to `failover_destination`.',
    after_call_destination:
      'Where the caller goes on when the agent hangs up first, for example to a survey. Null: the call ends.',
    timeout_destination:
      'Where a caller goes who has waited for `max_wait_seconds`. Null: to `failover_destination`.',
    queue: 'Whether callers wait in a queue while no agent is free.',
    music_on_hold:
      'What waiting callers hear, again and again, and either side of a call of the department while the other one holds. Null: the built-in music, and on hold that of the settings.',
    announce_position: 'Seconds between announcements of the position in the queue. 0: never.',
    announce_wait:
      'Whether the estimated wait follows the position: the position times the mean wait per place of the last ten callers who waited within the last hour. With fewer than five of them it is not known and not announced.',
    announce_recording: 'A recording that waiting callers hear between the music. Null: none.',
    announce_recording_seconds: 'Seconds between two times that it is heard.',
    max_wait_seconds:
      'The longest wait in the queue, after which the caller goes to `timeout_destination`. 0: as long as a call may last.',
    max_waiting: 'How many callers may wait at once; further ones go to `full_destination`. 0: up to 1,000.',
    wrapup_seconds: 'How long an agent gets no further caller from the queue after a call from it.',
    join_when_empty:
      'Whether callers may wait even while no agent is present: none with a phone, unblocked and on duty.',
    exit_key: 'The key that leads a waiting caller to `failover_destination`. Null: none.',
    callback_key:
      'The key by which a waiting caller asks to be called back, with the place in the queue kept. Null: callers are not called back.',
    callback_offer_seconds: 'Seconds between offers of a call-back to waiting callers. 0: it is not offered.',
    callback_recording: 'What offers it; it should name the key. Null: the built-in prompt.',
    callback_first: 'Who is rung first: the `agent`, or the `caller`.',
    callback_attempts: 'How often the caller is rung, at most.',
    callback_pause_seconds: 'Seconds between two attempts, at least.',
    callback_hours: 'The time group in which callers are called back. Null: at any time.',
    callbacks_per_hour:
      'How many call-backs may be asked for in an hour: a bound for the cost of toll fraud.',
  },
  Callback: {
    id: 'The id of the call-back.',
    department: 'The id of the department in whose queue the caller waited.',
    number: 'The number that is called.',
    typed: 'Whether the caller typed the number. False: it is the number of the call.',
    asked_by: 'The id of the call in which it was asked for.',
    asked_at: 'When it was asked for.',
    state:
      '`waiting` for its turn, the next attempt or the department’s hours; `calling`: the caller is being called; `done`: the caller was reached; `failed`: all attempts were made; `cancelled`; `expired`: not made within three days.',
    attempts: 'How often the caller was called so far.',
    result:
      'Why the last attempt did not reach the caller: `busy`, `no-answer`, `unreachable`, or `interrupted` by the end of a node. Null: there was none.',
    next_attempt_at: 'When the caller is called at the earliest. Null: it is over.',
    call_id: 'The id of the call that is made next, or was made last, which its record will have too.',
    ended_at: 'When it was over. Null: it is not.',
  },
  Queue: {
    id: 'The id of the department, as in the path.',
    name: 'What the department is called.',
    queue: 'Whether callers may wait for this department at all.',
    estimated_wait_ms:
      'How long a caller who joined now would wait, in milliseconds: the position times the mean wait per place of the last ten callers who waited within the last hour. Null: there were fewer than five.',
    waiting: 'The callers who wait at this moment, in order.',
    'waiting[].position': 'The place in the queue; 1 is next.',
    'waiting[].call': 'The id of the call, which its record will have too.',
    'waiting[].call_id': 'The id of the call, which its record will have too.',
    'waiting[].caller': 'The number of the caller; null: withheld.',
    'waiting[].since': 'When the wait began.',
    'waiting[].waited_ms': 'How long the caller has waited so far, in milliseconds.',
    'waiting[].estimated_wait_ms':
      'How long the caller will still wait, by the same estimate, in milliseconds. Null: not known.',
    'waiting[].ringing': 'Whether the phone of an agent rings for this caller.',
    'waiting[].callback': 'The id of the call-back that has the place. Null: a caller waits.',
    callbacks: 'Call-backs of the department that are not over, by their places in the queue.',
    'callbacks[].id': 'The id of the call-back.',
    'callbacks[].department': 'The id of the department in whose queue the caller waited.',
    'callbacks[].number': 'The number that is called.',
    'callbacks[].typed': 'Whether the caller typed the number. False: it is the number of the call.',
    'callbacks[].asked_by': 'The id of the call in which it was asked for.',
    'callbacks[].asked_at': 'When it was asked for.',
    'callbacks[].state':
      '`waiting` for its turn, the next attempt or the department’s hours; `calling`: the caller is being called; `done`: the caller was reached; `failed`: all attempts were made; `cancelled`; `expired`: not made within three days.',
    'callbacks[].attempts': 'How often the caller was called so far.',
    'callbacks[].result':
      'Why the last attempt did not reach the caller: `busy`, `no-answer`, `unreachable`, or `interrupted` by the end of a node. Null: there was none.',
    'callbacks[].next_attempt_at': 'When the caller is called at the earliest. Null: it is over.',
    'callbacks[].call_id':
      'The id of the call that is made next, or was made last, which its record will have too.',
    'callbacks[].ended_at': 'When it was over. Null: it is not.',
    agents: 'The agents of the department and what they do at this moment.',
    'agents[].eid': 'Which agent, by eid.',
    'agents[].name': 'The name of the agent; null where there is no agent with this eid.',
    'agents[].state':
      '`free`: may be rung; `busy`: in a call or ringing; `resting`: wrap-up, or a call was not answered just now; `away`: blocked, off duty, paused, signed out or without a phone.',
    'agents[].agent_state':
      'The state of the agent as `GET /v1/agent_states` has it; null: there is no such agent, or a node that does not answer may have a call of an agent who is free at the others.',
  },
  PauseAgentInput: {
    reason: 'Why, in up to 100 characters, as states, events and the console show it. Empty: not said.',
  },
  SignInAgentInput: {
    department: 'The id of the department. Without it: all departments that have the agent.',
  },
  SignOutAgentInput: {
    department: 'The id of the department. Without it: all departments that have the agent.',
  },
  LiveAgent: AGENT_NOW,
  AgentState: {
    ...AGENT_NOW,
    name: 'What the agent is called, as the console and call records show it.',
  },
  Phone: {
    address: 'The IP address and port that the phone registered from.',
    user_agent: 'What the phone calls itself.',
    expires_at: 'When the registration ends unless the phone renews it.',
    reachable: 'Whether the phone answers. False: it is not rung until it does.',
  },
};

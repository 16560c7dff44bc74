// What the members of agents, teams, departments and their phones mean.
import type { Catalogue } from '../describe.ts';

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
      'Where a call goes that the agent does not take: not answered, busy, blocked, off duty or without a phone. Null: the caller hears an apology.',
    failover_destination_name: 'The name of that destination. Null: there is none.',
    departments: 'The departments that ring this agent.',
    'departments[].name': 'What the department is called.',
    'departments[].id': 'The id of the department, as `department||<id>` names it.',
    sip_sha256:
      "Whether the agent's phones must authenticate with SHA-256 (RFC 8760). Many phones know MD5 alone.",
    record_calls: 'Whether every call with this agent is recorded.',
    sip_password: "The password of the agent's phones. It is shown this once and stored as a digest.",
  },
  WithPassword: {
    sip_password: "The new password of the agent's phones, where one was made. It is shown this once.",
  },
  Team: {
    id: 'The number of the team, which agents have as `team_id`.',
    name: 'The name of the team, as the console and agents show it.',
  },
  Department: {
    name: 'The name of the department, as the console and records show it.',
    description: 'A note for people who configure the department. Callers do not hear it.',
    agents: 'The agents that are rung, by eid, in the order that `in_order` and `round_robin` follow.',
    strategy:
      'Who is rung first: `simultaneous` all at once; the others one after the other: `in_order` from the top of the list, `random`, `round_robin` from behind the agent who was rung last, `longest_idle` first who has been without a call for longest.',
    ring_seconds: 'How long one agent rings before the next is tried.',
    failover_destination:
      'Where a caller goes who is not answered, or leaves the queue. Null: the caller hears an apology.',
    queue: 'Whether callers wait in a queue while no agent is free.',
    music_on_hold: 'What waiting callers hear, again and again. Null: the built-in music.',
    announce_position: 'Seconds between announcements of the position in the queue. 0: never.',
    max_wait_seconds:
      'The longest wait in the queue, after which the caller goes to `failover_destination`. 0: as long as a call may last.',
    max_waiting:
      'How many callers may wait at once; further ones go to `failover_destination`. 0: up to 1,000.',
    wrapup_seconds: 'How long an agent gets no further caller from the queue after a call from it.',
    join_when_empty:
      'Whether callers may wait even while no agent is present: none with a phone, unblocked and on duty.',
    exit_key: 'The key that leads a waiting caller to `failover_destination`. Null: none.',
  },
  Queue: {
    id: 'The id of the department, as in the path.',
    name: 'What the department is called.',
    queue: 'Whether callers may wait for this department at all.',
    waiting: 'The callers who wait at this moment, in order.',
    'waiting[].position': 'The place in the queue; 1 is next.',
    'waiting[].call': 'The id of the call, which its record will have too.',
    'waiting[].call_id': 'The id of the call, which its record will have too.',
    'waiting[].caller': 'The number of the caller; null: withheld.',
    'waiting[].since': 'When the wait began.',
    'waiting[].waited_ms': 'How long the caller has waited so far, in milliseconds.',
    'waiting[].ringing': 'Whether the phone of an agent rings for this caller.',
    agents: 'The agents of the department and what they do at this moment.',
    'agents[].eid': 'Which agent, by eid.',
    'agents[].name': 'The name of the agent; null where there is no agent with this eid.',
    'agents[].state':
      '`free`: may be rung; `busy`: in a call or ringing; `resting`: wrap-up, or a call was not answered just now; `away`: blocked, off duty or without a phone.',
  },
  Phone: {
    address: 'The IP address and port that the phone registered from.',
    user_agent: 'What the phone calls itself.',
    expires_at: 'When the registration ends unless the phone renews it.',
    reachable: 'Whether the phone answers. False: it is not rung until it does.',
  },
};

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
  WithPassword: {
    sip_password: "The new password of the agent's phones, where one was made. It is shown this once.",
  },
  Phonebook: {
    code: 'The part of the paths that is the key.',
    paths: 'The path of this service for each maker.',
    'paths.yealink': 'The file for a Yealink.',
    'paths.snom': 'The file for a Snom.',
    'paths.grandstream': 'The folder for a Grandstream, which adds the name of its file.',
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

// Rows of the route table: lines of departments now, call-backs, what agents do, their pauses, and their own calls and messages.
import { PAGE_QUERY } from '../http/page.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import { CALLBACK_QUERY } from '../schemas/queue.ts';
import * as agentState from './agent-state.ts';
import * as callback from './callback.ts';
import * as own from './own-calls.ts';
import { getDepartmentQueue } from './queue.ts';

const { file, list, part, record, unchanged, written } = responses;

// biome-ignore format: each row begins with what it is and does
export const AGENT_STATE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/department/{id}/queue', scope: 'read', id: 'getDepartmentQueue',
    summary: 'Who waits in the queue of a department now',
    handler: getDepartmentQueue, responses: [record('Queue')] },
  { method: 'GET', path: '/v1/callbacks', scope: 'read', id: 'listCallbacks', summary: 'List call-backs, newest first',
    handler: callback.listCallbacks, query: CALLBACK_QUERY, responses: [list('Callback')] },
  { method: 'GET', path: '/v1/callback/{id}', scope: 'read', id: 'getCallback', summary: 'Read a call-back and what became of it',
    handler: callback.getCallback, responses: [record('Callback')] },
  { method: 'DELETE', path: '/v1/callback/{id}', scope: 'calls', id: 'cancelCallback', summary: 'Cancel a call-back',
    handler: callback.cancelCallback, responses: [written()] },
  { method: 'GET', path: '/v1/agent_states', scope: 'read', id: 'listAgentStates', summary: 'List what all agents do now',
    handler: agentState.listAgentStates, query: agentState.AGENT_STATES_QUERY, responses: [list('AgentState')] },
  { method: 'GET', path: '/v1/agent/{eid}/state', scope: 'read', id: 'getAgentState', summary: 'What an agent does now',
    handler: agentState.getAgentState, responses: [record('AgentState')] },
  { method: 'POST', path: '/v1/agent/{eid}/pause', scope: 'calls', id: 'pauseAgent', summary: 'Pause an agent: departments do not ring',
    handler: agentState.pauseAgent, body: agentState.PAUSE_FIELDS, example: EXAMPLES.pause, responses: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/resume', scope: 'calls', id: 'resumeAgent', summary: 'End the pause of an agent',
    handler: agentState.resumeAgent, responses: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/end_wrap_up', scope: 'calls', id: 'endAgentWrapUp', summary: 'End the wrap-up of an agent before its time',
    handler: agentState.endAgentWrapUp, responses: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/sign_in', scope: 'calls', id: 'signInAgent', summary: 'Sign an agent in to a department, or to all',
    handler: agentState.signInAgent, body: agentState.SIGN_FIELDS, example: EXAMPLES.sign, responses: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/sign_out', scope: 'calls', id: 'signOutAgent', summary: 'Sign an agent out of a department, or of all',
    handler: agentState.signOutAgent, body: agentState.SIGN_FIELDS, example: EXAMPLES.sign, responses: [written()] },
  { method: 'GET', path: '/v1/agent/{eid}/calls', scope: 'read', id: 'listAgentCalls', summary: 'List the calls of an agent that are over, newest first',
    handler: own.listAgentCalls, query: own.OWN_CALLS_QUERY, responses: [list('CallSummary')] },
  { method: 'GET', path: '/v1/agent/{eid}/earlier_calls', scope: 'read', id: 'listEarlierCalls',
    summary: 'List earlier calls of who calls the agent, newest first',
    handler: own.listEarlierCalls, query: own.EARLIER_CALLS_QUERY, responses: [list('CallSummary')] },
  { method: 'GET', path: '/v1/agent/{eid}/voicemails', scope: 'read', id: 'listAgentVoicemails',
    summary: 'List the messages in the voicemail box of an agent, newest first',
    handler: own.listAgentVoicemails, query: PAGE_QUERY, responses: [list('Voicemail')] },
  { method: 'GET', path: '/v1/agent/{eid}/voicemail/{id}/audio', scope: 'read', id: 'getAgentVoicemailAudio',
    summary: 'Hear a message in the voicemail box of an agent, as WAV',
    handler: own.getAgentVoicemailAudio, headers: ['If-None-Match', 'Range'], responses: [file('audio/wav'), part('audio/wav'), unchanged] },
  { method: 'POST', path: '/v1/agent/{eid}/voicemail/{id}/heard', scope: 'write', id: 'markAgentVoicemailHeard',
    summary: 'Mark a message in the voicemail box of an agent as heard',
    handler: own.markAgentVoicemailHeard, responses: [written()] },
];

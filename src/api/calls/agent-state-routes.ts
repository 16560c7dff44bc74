// Rows of the route table: lines of departments now, call-backs, what agents do, and their pauses.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import { CALLBACK_QUERY } from '../schemas/queue.ts';
import * as agentState from './agent-state.ts';
import * as callback from './callback.ts';
import { getDepartmentQueue } from './queue.ts';

const { list, record, written } = responses;

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
  { method: 'POST', path: '/v1/agent/{eid}/sign_in', scope: 'calls', id: 'signInAgent', summary: 'Sign an agent in to a department, or to all',
    handler: agentState.signInAgent, body: agentState.SIGN_FIELDS, example: EXAMPLES.sign, responses: [written()] },
  { method: 'POST', path: '/v1/agent/{eid}/sign_out', scope: 'calls', id: 'signOutAgent', summary: 'Sign an agent out of a department, or of all',
    handler: agentState.signOutAgent, body: agentState.SIGN_FIELDS, example: EXAMPLES.sign, responses: [written()] },
];

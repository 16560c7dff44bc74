// The nodes of the service, and the switch that drains one. For the operator alone: accounts are strangers to each other and to the
// machines. The operator's account is the first one, which the first start makes; others are made on the command line.
import { problem } from '../../kinds/problem.ts';
import type { StoredNode } from '../../storage/ports/nodes.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { audited } from './audit.ts';

const OPERATOR_ONLY = problem(
  'operator_only',
  'Only tokens of the operator’s account, which is the first one of the installation, may do this.',
);
const UNKNOWN = problem('record_unknown', 'There is no such node that runs.');

type Shown = Pick<
  StoredNode,
  'id' | 'state' | 'calls' | 'version' | 'startedAtMs' | 'heartbeatAtMs' | 'drain'
>;

export const listNodes: Handler = async (request, context) => {
  if (!(await context.operator.is(request.account.id))) return OPERATOR_ONLY;
  const nodes: readonly Shown[] = context.node.isListed
    ? await context.storage.listNodes()
    : [await ownNode(request, context)];
  return {
    status: 200,
    json: {
      data: nodes.map(({ id, state, calls, version, startedAtMs, heartbeatAtMs, drain }) => ({
        id,
        state,
        drain,
        calls,
        version,
        started_at: new Date(startedAtMs).toISOString(),
        last_seen_at: new Date(heartbeatAtMs).toISOString(),
        answers_you: id === context.node.id,
      })),
      next_cursor: null,
    },
  };
};

async function ownNode({ nowMs }: ApiRequest, context: ApiContext): Promise<Shown> {
  const counts = await context.callControl()?.counts();
  const isDraining = counts?.isDraining ?? false;
  return {
    ...context.node,
    state: isDraining ? 'draining' : 'running',
    drain: isDraining,
    calls: counts?.calls ?? 0,
    heartbeatAtMs: nowMs,
  };
}

export const drainNode: Handler = (request, context) => setDrain(request, context, true);
export const resumeNode: Handler = (request, context) => setDrain(request, context, false);

async function setDrain(request: ApiRequest, context: ApiContext, drain: boolean) {
  const { operator, node, storage, callControl } = context;
  if (!(await operator.is(request.account.id))) return OPERATOR_ONLY;
  const id = request.params['id'] ?? '';
  if (node.isListed) {
    if (!(await storage.setDrain({ id, drain })).found) return UNKNOWN;
  } else {
    if (id !== node.id) return UNKNOWN;
    callControl()?.setDrain(drain);
  }
  await audited(request, context, drain ? 'drain' : 'resume', 'node', id);
  return done(200, drain ? 'The node takes no new calls.' : 'The node takes calls again.');
}

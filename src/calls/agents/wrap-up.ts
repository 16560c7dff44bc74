import { globalId } from '../../domain/global-id.ts';
import type { Queues } from '../../sharing/ports/queues.ts';
import type { AgentActivity } from './agent-activity.ts';

interface WrapUpParts {
  readonly activity: Pick<AgentActivity, 'endWrapUp'>;
  readonly queues: Pick<Queues, 'endRest'>;
}

/** Before its time: departments ring the agent again at once. Without a wrap-up nothing changes. */
export async function endWrapUp(
  { activity, queues }: WrapUpParts,
  accountId: string,
  eid: string,
): Promise<void> {
  const agent = globalId(accountId, eid);
  activity.endWrapUp(agent);
  await queues.endRest(agent);
}

import { globalId } from '../../domain/global-id.ts';
import type { SwitchboardEnvironment } from '../switchboard-environment.ts';

/** Before its time: departments ring the agent again at once. Without a wrap-up nothing changes. */
export async function endWrapUp(
  { agentStates, queues }: Pick<SwitchboardEnvironment, 'agentStates' | 'queues'>,
  accountId: string,
  eid: string,
): Promise<void> {
  const agent = globalId(accountId, eid);
  agentStates.endWrapUp(agent);
  await queues.endRest(agent);
}

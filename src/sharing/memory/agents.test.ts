import { describe } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { type AgentsBed, agentsContract, TestDesk } from '../ports/agents.contract.ts';
import { queueModelContract } from '../ports/queue-model.contract.ts';
import { queuesContract } from '../ports/queues.contract.ts';
import { MemoryAgentStates } from './agent-states.ts';
import { MemoryQueues } from './queues.ts';

describe('in memory', () => {
  const open = async (): Promise<AgentsBed> => {
    const clock = new VirtualClock();
    const duty = new TestDesk();
    const agentStates = new MemoryAgentStates(() => clock.epochMs());
    const queues = new MemoryQueues({ agentStates, clock, duty, random: () => 0.5 });
    const node = { agentStates, queues };
    return {
      nodes: [node, node],
      present: duty.present,
      desk: duty,
      settled: async () => undefined,
      pass: async (ms) => clock.advance(ms),
    };
  };
  agentsContract(open);
  queuesContract(open);
  queueModelContract(open, 100);
});

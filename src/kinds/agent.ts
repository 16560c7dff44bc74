// Agents: the people who answer calls.
import { defineKind } from './define-kind.ts';

export const agent = defineKind({
  kind: 'agent',
  noun: 'agent',
  nouns: 'agents',
  word: 'extension',
  destination: true,
  directory: 'agents',
  exported: 'agents',
  key: 'eid',
  versioned: false,
  drafted: false,
  tested: true,
  assistants: true,
  schema: 'Agent',
  plural: 'AgentsV2',
  path: '/v1/agent',
  listPath: '/v2/agents',
  see: 'directory',
  change: 'edit',
  sealed: null,
});

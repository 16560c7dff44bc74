// Caller-id rules: which number an outgoing call shows.

import { splitReference } from '../../kinds/reference.ts';
import { plain } from './plain.ts';

export const callerIdRules = plain('caller_id_rule', {
  async warnings({ trunk, agent, department }, request) {
    const { trunks, agents, departments } = await request.directory();
    const references = { trunk, agent, department };
    const known = { trunk: trunks, agent: agents, department: departments };
    return (['trunk', 'agent', 'department'] as const).flatMap((member) => {
      const reference = references[member];
      if (reference === null || known[member].has(splitReference(reference).id)) return [];
      const message = `${reference} does not exist: the rule fits no call.`;
      return [{ pointer: `/${member}`, code: 'reference_unknown', message }];
    });
  },
});

import { readRecord } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Collection } from './collection.ts';

export const callerIdRules: Collection<'caller_id_rule'> = {
  kind: 'caller_id_rule',
  read: (body) => readRecord(FIELDS.caller_id_rule, body),
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
  matches: ({ name, show, prefix }, needle) =>
    name.toLowerCase().includes(needle) || show.includes(needle) || (prefix ?? '').includes(needle),
};

// Departments: agents that are rung together or one after the other, in the order of the list.

import { readKind } from '../../kinds/fields.ts';
import { departmentNode } from '../../kinds/nodes.ts';
import { lintAround } from '../calls/lint.ts';
import { DEPARTMENTS_QUERY } from '../schemas/department.ts';
import type { Collection } from './collection.ts';

export const departments: Collection<'department'> = {
  kind: 'department',
  read: (body) => readKind('department', body),
  warnings: (department, request, context, id) =>
    lintAround(departmentNode(id, department), request, context),
  matches: ({ name, description }, needle) =>
    name.toLowerCase().includes(needle) || description.toLowerCase().includes(needle),
  filters: DEPARTMENTS_QUERY,
  fits: ({ agents }, query) => query['agent'] === null || agents.some((eid) => eid === query['agent']),
};

// Departments: agents that are rung together or one after the other, in the order of the list.
import { departmentNode } from '../../domain/compile.ts';
import type { Department } from '../../domain/department.ts';
import { newId } from '../../domain/id.ts';
import { Faults, type Problem } from '../../domain/problem.ts';
import { lintAround } from '../calls/lint.ts';
import { DEPARTMENT_FIELDS, DEPARTMENTS_QUERY } from '../schemas/agent.ts';
import { readFields } from '../schemas/field.ts';
import type { Collection } from './collection.ts';

export const departments: Collection<'department'> = {
  kind: 'department',
  path: '/v1/department',
  listPath: '/v1/departments',
  read: readDepartment,
  makeId: (request) => newId(request.nowMs),
  warnings: (department, request, context, id) =>
    lintAround(departmentNode(id, department), request, context),
  answersId: true,
  matches: ({ name, description }, needle) =>
    name.toLowerCase().includes(needle) || description.toLowerCase().includes(needle),
  filters: DEPARTMENTS_QUERY,
  fits: ({ agents }, query) => query['agent'] === null || agents.some((eid) => eid === query['agent']),
};

export function readDepartment(body: { readonly [name: string]: unknown }): Department | Problem {
  const faults = new Faults();
  const department = readFields(DEPARTMENT_FIELDS, body, faults);
  for (const [index, eid] of department.agents?.entries() ?? []) {
    if (eid !== undefined && department.agents.indexOf(eid) < index) {
      faults.add(
        `/agents/${index}`,
        'reference_duplicate',
        `agents ${index} is ${eid}, which is in the list already.`,
      );
    }
  }
  return faults.list.length > 0 ? faults.toProblem() : department;
}

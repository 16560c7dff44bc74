// Departments: agents that are rung together or one after the other, in the order of the list.
import { DEPARTMENTS_QUERY } from '../schemas/department.ts';
import { plain } from './plain.ts';

export const departments = plain('department', {
  filters: DEPARTMENTS_QUERY,
  fits: ({ agents }, query) => query['agent'] === null || agents.some((eid) => eid === query['agent']),
});

// The teams and departments of an import: created before the agents, joined after them.
import { client } from '../../data/client.ts';
import type { Missing } from './agents-import.ts';
import type { RowResult } from './import-run.ts';

export interface Groups {
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly departments: readonly { readonly id: string; readonly name: string }[];
}

export async function createGroups({ teams, departments }: Missing): Promise<Groups> {
  const made = {
    teams: [] as { id: number; name: string }[],
    departments: [] as { id: string; name: string }[],
  };
  for (const name of teams) made.teams.push({ id: (await client.createTeam({ body: { name } })).id, name });
  for (const name of departments)
    made.departments.push({ id: (await client.createDepartment({ body: { name } })).id, name });
  return made;
}

/** One write for each department: it holds the list of its agents. The departments that refused it. */
export async function joinDepartments(
  results: readonly RowResult[],
): Promise<{ readonly name: string; readonly error: unknown }[]> {
  const joining = new Map<string, string[]>();
  for (const { row, agent } of results)
    if (agent) for (const id of row.departments) joining.set(id, [...(joining.get(id) ?? []), agent.eid]);
  const refused: { name: string; error: unknown }[] = [];
  for (const [id, eids] of joining) {
    let name = id;
    try {
      const department = await client.getDepartment({ params: { id } });
      name = department.name;
      const agents = [...new Set([...department.agents, ...eids])];
      await client.patchDepartment({ params: { id }, body: { agents }, ifMatch: `"${department.version}"` });
    } catch (error) {
      refused.push({ name, error });
    }
  }
  return refused;
}

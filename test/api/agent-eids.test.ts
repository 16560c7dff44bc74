// An agent's eid, which other records and call records name, is never given to another agent.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { type CallOptions, call, type Json, type SharedService } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const make = async (what: string, body: object): Promise<Json> => {
    const reply = await send('POST', `/v1/${what}`, { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.json;
  };

  it('an eid is never given again: not by the series, and not where it is chosen', async () => {
    const next = Number((await make('agent', { name: 'Last' })).eid) + 1;
    // As the demonstration and an import do: chosen, where the series will arrive later.
    const former = await make('agent', { name: 'Former', eid: String(next) });
    const department = await make('department', { name: 'Heirs', agents: [former.eid] });
    expect((await send('DELETE', `/v1/agent/${former.eid}?force=true`)).status).toBe(200);
    const made = await make('agent', { name: 'Heir' });
    expect(made.eid).not.toBe(former.eid);
    const chosen = await send('POST', '/v1/agent', { body: { name: 'Heir', eid: former.eid } });
    expect([chosen.status, chosen.json.Code]).toEqual([409, 'key_retired']);
    expect(chosen.json.Message).toContain(`The eid ${former.eid} belonged to a former agent`);
    expect((await send('GET', `/v1/department/${department.id}`)).json.agents).toEqual([]);
  });

  it('a forced deletion takes the agent out of departments first, and out of none where it is refused', async () => {
    const { eid } = await make('agent', { name: 'Leaves' });
    const { id } = await make('department', { name: 'Left', agents: [eid] });
    const path = `/v1/agent/${eid}?force=true`;
    expect((await send('DELETE', path, { headers: { 'if-match': '"7"' } })).status).toBe(412);
    expect((await send('GET', `/v1/department/${id}`)).json.agents).toEqual([eid]);
    expect((await send('DELETE', path)).json.RemovedFrom).toEqual([{ kind: 'department', id, name: 'Left' }]);
    const [last, former] = (await send('GET', '/v1/audit?limit=2')).json.data;
    expect([former.kind, last.kind]).toEqual(['department', 'agent']);
  });

  it('an eid that an agent had before a change belongs to that agent alone', async () => {
    const { eid } = await make('agent', { name: 'Mover', eid: 'mover.1' });
    const other = await make('agent', { name: 'Other' });
    const move = (from: string, to: string) =>
      send('PUT', `/v1/agent/${from}`, { body: { name: 'Mover', eid: to } });
    expect((await move(eid, 'mover.2')).status).toBe(200);
    const taken = await send('PUT', `/v1/agent/${other.eid}`, { body: { name: 'Other', eid } });
    expect([taken.status, taken.json.Code]).toEqual([409, 'key_retired']);
    expect((await move('mover.2', eid)).status).toBe(200);
  });

  it('an eid that a department lists before its agent exists is given by choice alone', async () => {
    const next = String(Number((await make('agent', { name: 'Last' })).eid) + 1);
    await make('department', { name: 'Planned', agents: [next] });
    expect((await make('agent', { name: 'Someone else' })).eid).not.toBe(next);
    expect((await make('agent', { name: 'The planned one', eid: next })).eid).toBe(next);
  });

  it('the number of a former team is not given to another team', async () => {
    const team = await make('team', { name: 'Former' });
    await send('DELETE', `/v1/team/${team.id}`);
    expect((await make('team', { name: 'New' })).id).not.toBe(team.id);
  });
});

// GET /v2/agents, teams and departments, over real sockets on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { type CallOptions, call, type Json, type SharedService } from '../support/service.ts';

onBothDatabases((database) => {
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

  describe('GET /v2/agents', () => {
    it('filters by team, department, status and text', async () => {
      const team = await make('team', { name: 'Filter' });
      const one = await make('agent', { name: 'Zoë Filter', team_id: team.id, follow_me_number: '+4930999' });
      const two = await make('agent', { name: 'Yan Filter', team_id: team.id });
      const department = await make('department', { name: 'F', agents: [two.eid] });
      await send('POST', `/v1/agent/${one.eid}/block`);
      const eids = async (query: string) =>
        (await send('GET', `/v2/agents?${query}`)).json.data.map(({ eid }: Json) => eid);
      expect(await eids(`team_id=${team.id}`)).toEqual([one.eid, two.eid]);
      expect(await eids(`team_id=${team.id}&custom_status=1`)).toEqual([one.eid]);
      expect(await eids(`department_id=${department.id}`)).toEqual([two.eid]);
      expect(await eids('q=zo%C3%AB')).toEqual([one.eid]);
      expect(await eids('q=30999')).toEqual([one.eid]);
      expect(await eids(`team_id=${team.id}&sort=name`)).toEqual([two.eid, one.eid]);
      expect(await eids(`team_id=${team.id}&sort=-id`)).toEqual([two.eid, one.eid]);
    });

    it('has the same record as the deprecated list, in pages that repeat and skip no agent', async () => {
      const all = (await send('GET', '/v1/agents')).json;
      for (const sort of ['id', 'name', '-intercom', 'calls_answered']) {
        const seen: Json[] = [];
        for (let path: string | undefined = `/v2/agents?limit=7&sort=${sort}`; path; ) {
          const reply = await send('GET', path);
          seen.push(...reply.json.data);
          path = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
        }
        expect(seen).toHaveLength(all.length);
        expect(seen.map(({ id }) => id).sort()).toEqual(all.map(({ id }: Json) => id));
        if (sort === 'id') expect(seen).toEqual(all);
      }
    });

    it.each(['sort=colour', 'custom_status=2', 'team_id=x', 'limit=9999', 'cursor=!'])(
      '%s is refused',
      async (query) => {
        expect((await send('GET', `/v2/agents?${query}`)).json.Code).toBe('query_invalid');
      },
    );
  });

  describe('teams and departments', () => {
    it('are created, read, listed, replaced with versions, and refused with all faults', async () => {
      const { id } = await make('department', { name: 'Sales', description: 'x' });
      const path = `/v1/department/${id}`;
      expect((await send('GET', path)).json).toMatchObject({ id, name: 'Sales', agents: [], version: 1 });
      expect(
        (await send('PUT', path, { body: { name: 'Selling' }, headers: { 'if-match': '"1"' } })).status,
      ).toBe(200);
      expect(
        (await send('PUT', path, { body: { name: 'Lost' }, headers: { 'if-match': '"1"' } })).status,
      ).toBe(412);
      expect((await send('GET', '/v1/departments?limit=500')).json.data).toContainEqual(
        expect.objectContaining({ id, name: 'Selling' }),
      );
      const bad = await send('POST', '/v1/department', { body: { agents: ['a', 'a', 'b c'] } });
      expect(bad.json.Errors.map(({ Pointer, Code }: Json) => `${Pointer} ${Code}`)).toEqual([
        '/name field_missing',
        '/agents/2 text_malformed',
        '/agents/1 reference_duplicate',
      ]);
      expect((await send('GET', '/v1/team/1')).json.id).toBe(1);
      expect((await send('GET', '/v1/team/none')).status).toBe(404);
    });

    it('a department may be written before its agents exist, with a warning', async () => {
      expect((await make('department', { name: 'Early', agents: ['later'] })).Message).toContain(
        'Agent extension||later does not exist',
      );
    });
  });
});

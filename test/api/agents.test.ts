// Agents, over real sockets.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type CallOptions, call, type Json, type SharedService } from '../support/service.ts';

/** The specification's table, in its order. */
const FIELDS = [
  'id',
  'name',
  'follow_me_number',
  'eid',
  'intercom',
  'calls_answered',
  'product_clicktocall',
  'team_id',
  'team_name',
  'custom_status',
  'timegroup_name',
  'timegroup_id',
  'failover_destination',
  'failover_destination_name',
  'departments',
];

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
  const listed = async (eid: string): Promise<Json> =>
    (await send('GET', '/v1/agents')).json.find((one: Json) => one.eid === eid);

  it('without agents the list is an empty array', async () => {
    expect((await send('GET', '/v1/agents')).text).toBe('[]');
  });

  describe('GET /v1/agents', () => {
    it('has every field of the specification in its order and type, and null where it may be', async () => {
      const { eid } = await make('agent', { name: 'Asha', follow_me_number: 9812345678 });
      const agent = await listed(eid);
      expect(Object.keys(agent)).toEqual(FIELDS);
      expect(agent).toMatchObject({
        name: 'Asha',
        follow_me_number: '9812345678',
        calls_answered: 0,
        product_clicktocall: 0,
        team_id: null,
        team_name: null,
        custom_status: 0,
        timegroup_name: null,
        timegroup_id: null,
        failover_destination: null,
        failover_destination_name: null,
        departments: [],
      });
      for (const field of ['id', 'eid', 'intercom']) expect(agent[field]).toBeTypeOf('string');
    });

    it('shows team, departments and failover by name, and follows their changes at once', async () => {
      const team = await make('team', { name: 'Night' });
      const first = await make('agent', { name: 'Ben' });
      const { eid } = await make('agent', {
        name: 'Chen',
        team_id: team.id,
        failover_destination: `extension|${first.eid}`,
      });
      const department = await make('department', { name: 'Care', agents: [eid] });
      expect(await listed(eid)).toMatchObject({
        team_id: team.id,
        team_name: 'Night',
        failover_destination: `extension||${first.eid}`,
        failover_destination_name: 'Ben',
        departments: [{ name: 'Care', id: department.id }],
      });
      expect(team.id).toBeTypeOf('number');
      await send('PUT', `/v1/team/${team.id}`, { body: { name: 'Day' } });
      await send('PUT', `/v1/department/${department.id}`, {
        body: { name: 'Help', agents: [eid, first.eid] },
      });
      expect(await listed(eid)).toMatchObject({
        team_name: 'Day',
        departments: [{ name: 'Help', id: department.id }],
      });
      expect(await listed(first.eid)).toMatchObject({ departments: [{ name: 'Help' }] });
    });

    it('is sorted by id, says that it is deprecated and by what, and has no Sunset', async () => {
      const { json, headers } = await send('GET', '/v1/agents');
      const ids = json.map(({ id }: Json) => id);
      expect(ids).toEqual([...ids].sort());
      expect(headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(headers.get('link')).toBe('</v2/agents>; rel="successor-version"');
      expect(headers.get('sunset')).toBeNull();
    });

    it('has a strong ETag, answers 304 to it, and another one after a change', async () => {
      const etag = (await send('GET', '/v1/agents')).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect((await send('GET', '/v1/agents', { headers: { 'if-none-match': etag } })).status).toBe(304);
      await make('agent', { name: 'New' });
      const changed = await send('GET', '/v1/agents', { headers: { 'if-none-match': etag } });
      expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    });

    it('answers HEAD without a body', async () => {
      const head = await send('HEAD', '/v1/agents');
      expect([head.status, head.text, Number(head.headers.get('content-length')) > 2]).toEqual([
        200,
        '',
        true,
      ]);
    });
  });

  describe('creating', () => {
    it('makes eid, intercom and a SIP password, which is shown once and never again', async () => {
      const made = await make('agent', { name: 'Dora' });
      expect(made).toMatchObject({
        Success: true,
        eid: expect.stringMatching(/^1\d{5}$/),
        intercom: expect.stringMatching(/^1\d{3}$/),
      });
      expect(made.sip_password).toMatch(/^[A-Za-z0-9]{20}$/);
      const read = await send('GET', `/v1/agent/${made.eid}`);
      expect(read.text).not.toContain(made.sip_password);
      expect(read.text).not.toContain(
        createHash('md5').update(`${made.intercom}:dialtree:${made.sip_password}`).digest('hex'),
      );
      expect(read.json.sip).toBeUndefined();
    });

    it('keeps eid and intercom unique, and names which is taken', async () => {
      const made = await make('agent', { name: 'Own', eid: 'own.eid', intercom: '77' });
      expect(made).toMatchObject({ eid: 'own.eid', intercom: '77' });
      const eid = await send('POST', '/v1/agent', { body: { name: 'x', eid: 'own.eid' } });
      expect([eid.status, eid.json.Code, eid.json.Message]).toEqual([
        409,
        'key_taken',
        'Another agent has the eid own.eid already.',
      ]);
      const intercom = await send('POST', '/v1/agent', { body: { name: 'x', intercom: 77 } });
      expect(intercom.json.Message).toBe('Another agent has the intercom 77 already.');
    });

    it('many at once all get numbers of their own, also around one taken by hand', async () => {
      const next = Number((await make('agent', { name: 'probe' })).intercom) + 5;
      await make('agent', { name: 'by hand', intercom: String(next) });
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, index) => make('agent', { name: `n${index}` })),
      );
      expect(new Set(many.map(({ intercom }) => intercom)).size).toBe(20);
      expect(many.map(({ intercom }) => intercom)).not.toContain(String(next));
    });

    it('a repetition with the same Idempotency-Key shows everything but the password', async () => {
      const post = () =>
        send('POST', '/v1/agent', { body: { name: 'Once' }, headers: { 'idempotency-key': 'agent-1' } });
      const [first, second] = [await post(), await post()];
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.json).toMatchObject({ eid: first.json.eid, intercom: first.json.intercom });
      expect(second.json.sip_password).toBeUndefined();
    });

    it.each([
      [{}, '/name field_missing'],
      [{ name: 'x', follow_me_number: 'call me' }, '/follow_me_number text_malformed'],
      [{ name: 'x', intercom: '1' }, '/intercom text_malformed'],
      [{ name: 'x', eid: 'a b' }, '/eid text_malformed'],
      [{ name: 'x', product_clicktocall: 2 }, '/product_clicktocall value_not_allowed'],
      [{ name: 'x', team_id: 'none' }, '/team_id number_malformed'],
      [{ name: 'x', failover_destination: 'pigeon||1' }, '/failover_destination destination_unknown_kind'],
    ])('%j is refused', async (body, fault) => {
      const reply = await send('POST', '/v1/agent', { body });
      expect(reply.status).toBe(400);
      expect(reply.json.Errors.map(({ Pointer, Code }: Json) => `${Pointer} ${Code}`)).toEqual([fault]);
    });

    it('warns of a team or failover that does not exist', async () => {
      const made = await make('agent', {
        name: 'x',
        team_id: 999_999,
        failover_destination: 'extension||nobody',
      });
      expect(made.Message).toContain('team_id: There is no team 999999.');
      expect(made.Message).toContain('extension||nobody');
    });

    it('SHA-256 for an agent’s phones is off, may be asked for, and is no field of the specification’s list', async () => {
      const { eid } = await make('agent', { name: 'x' });
      const read = async () => (await send('GET', `/v1/agent/${eid}`)).json.sip_sha256;
      expect(await read()).toBe(false);
      await send('PUT', `/v1/agent/${eid}`, { body: { name: 'x', sip_sha256: true } });
      expect(await read()).toBe(true);
      await send('POST', `/v1/agent/${eid}/block`);
      expect(await read()).toBe(true);
      expect(Object.keys(await listed(eid))).toEqual(FIELDS);
      const { json } = await send('POST', '/v1/agent', { body: { name: 'x', sip_sha256: 'yes' } });
      expect(json.Errors).toMatchObject([{ Pointer: '/sip_sha256', Code: 'value_not_allowed' }]);
    });

    it('what the service counts or makes cannot be set', async () => {
      const made = { calls_answered: 99, custom_status: 1 };
      const refused = await send('POST', '/v1/agent', {
        body: { name: 'x', ...made, sip: {}, account_id: 'other' },
      });
      expect(refused.status).toBe(400);
      expect(refused.json.Errors.map(({ Code }: Json) => Code)).toEqual(Array(4).fill('unknown_member'));
      const { eid } = await make('agent', { name: 'x' });
      const shown = await listed(eid);
      const body = { ...shown, ...made, id: 'mine' };
      expect((await send('PUT', `/v1/agent/${eid}`, { body })).status).toBe(200);
      expect(await listed(eid)).toMatchObject({ id: shown.id, calls_answered: 0, custom_status: 0 });
    });
  });

  describe('changing', () => {
    it('block and unblock change custom_status and nothing else', async () => {
      const { eid } = await make('agent', { name: 'Blocked' });
      const before = await listed(eid);
      expect((await send('POST', `/v1/agent/${eid}/block`)).status).toBe(200);
      expect(await listed(eid)).toEqual({ ...before, custom_status: 1 });
      expect((await send('POST', `/v1/agent/${eid}/unblock`)).status).toBe(200);
      expect(await listed(eid)).toEqual(before);
      expect((await send('POST', '/v1/agent/nobody/block')).status).toBe(404);
    });

    it('PUT replaces; eid and intercom stay when not sent; a new intercom brings a new password', async () => {
      const { eid, intercom } = await make('agent', { name: 'Old', follow_me_number: '12345' });
      const kept = await send('PUT', `/v1/agent/${eid}`, { body: { name: 'Renamed' } });
      expect([kept.status, kept.json.sip_password]).toEqual([200, undefined]);
      expect(await listed(eid)).toMatchObject({ name: 'Renamed', intercom, follow_me_number: '' });
      const moved = await send('PUT', `/v1/agent/${eid}`, { body: { name: 'Renamed', intercom: '5551' } });
      expect(moved.json.sip_password).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(await listed(eid)).toMatchObject({ intercom: '5551' });
      const other = await make('agent', { name: 'Other', intercom: '5552' });
      expect(
        (await send('PUT', `/v1/agent/${eid}`, { body: { name: 'x', intercom: other.intercom } })).status,
      ).toBe(409);
    });

    it('If-Match guards against a lost update; without it updates at once all count', async () => {
      const { eid } = await make('agent', { name: 'Busy' });
      const etag = (await send('GET', `/v1/agent/${eid}`)).headers.get('etag') ?? '';
      expect((await send('POST', `/v1/agent/${eid}/block`, { headers: { 'if-match': etag } })).status).toBe(
        200,
      );
      expect((await send('POST', `/v1/agent/${eid}/unblock`, { headers: { 'if-match': etag } })).status).toBe(
        412,
      );
      const replies = await Promise.all([1, 2, 3, 4].map(() => send('POST', `/v1/agent/${eid}/block`)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await send('GET', `/v1/agent/${eid}`)).json.version).toBe(6);
    });

    it('a body that is empty is none, also with a content type', async () => {
      const { eid } = await make('agent', { name: 'Empty' });
      const headers = { 'content-type': 'application/json' };
      expect((await send('POST', `/v1/agent/${eid}/block`, { headers })).status).toBe(200);
      expect((await send('DELETE', `/v1/agent/${eid}`, { headers })).status).toBe(200);
      expect((await send('POST', '/v1/agent', { headers })).json.Code).toBe('body_malformed');
    });

    it('a new SIP password replaces the former', async () => {
      const made = await make('agent', { name: 'Forgetful' });
      const { json } = await send('POST', `/v1/agent/${made.eid}/sip_password`);
      expect(json.sip_password).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(json.sip_password).not.toBe(made.sip_password);
    });
  });

  describe('deleting', () => {
    it('an agent that a menu, a department or a failover uses is refused with the list, unless forced', async () => {
      const { eid } = await make('agent', { name: 'Needed' });
      const department = await make('department', { name: 'Needs', agents: [eid] });
      const other = await make('agent', { name: 'Falls over', failover_destination: `extension||${eid}` });
      await send('POST', '/v1/ivr', {
        body: menu({ name: 'Calls', timeout_destination: `extension||${eid}` }),
      });
      await make('number', { number: '4711', destination: `extension||${eid}` });
      const refused = await send('DELETE', `/v1/agent/${eid}`);
      expect([refused.status, refused.json.Code]).toEqual([409, 'still_referenced']);
      expect(refused.json.ReferencedBy).toEqual(
        expect.arrayContaining([
          { kind: 'agent', id: other.eid, name: 'Falls over' },
          { kind: 'department', id: department.id, name: 'Needs' },
          expect.objectContaining({ kind: 'ivr', name: 'Calls' }),
        ]),
      );
      const forced = await send('DELETE', `/v1/agent/${eid}?force=true`);
      expect(forced.status).toBe(200);
      expect(forced.json.RemovedFrom).toEqual([{ kind: 'department', id: department.id, name: 'Needs' }]);
      expect(forced.json.ReferencedBy).toEqual(
        expect.arrayContaining([
          { kind: 'agent', id: other.eid, name: 'Falls over' },
          expect.objectContaining({ kind: 'ivr', name: 'Calls' }),
        ]),
      );
      expect(forced.json.ReferencedBy).toHaveLength(3);
      expect(forced.json.Message).toContain('Removed from department "Needs".');
      const { data } = (await send('GET', '/v1/lint')).json;
      const missing = data.filter(
        ({ code, message }: Json) => code === 'destination-missing' && message.includes(eid),
      );
      expect(missing.map(({ node, pointer }: Json) => `${node.split('||')[0]} ${pointer}`).sort()).toEqual([
        'extension /failover_destination',
        'ivr /timeout_destination',
        'number /destination',
      ]);
      expect((await send('GET', `/v1/department/${department.id}`)).json).toMatchObject({
        agents: [],
        version: 2,
      });
      expect(await listed(eid)).toBeUndefined();
      expect((await send('DELETE', `/v1/agent/${eid}`)).status).toBe(404);
    });

    it('a new eid is refused while something points to the old one, unless forced', async () => {
      const { eid } = await make('agent', { name: 'Renamed', eid: 'Desk.7' });
      const department = await make('department', { name: 'Holds', agents: [eid] });
      const refused = await send('PUT', `/v1/agent/${eid}`, { body: { name: 'Renamed', eid: 'Desk.8' } });
      expect([refused.status, refused.json.ReferencedBy]).toEqual([
        409,
        [{ kind: 'department', id: department.id, name: 'Holds' }],
      ]);
      expect(
        (await send('PUT', `/v1/agent/${eid}?force=true`, { body: { name: 'Renamed', eid: 'Desk.8' } }))
          .status,
      ).toBe(200);
      expect((await send('GET', '/v2/agents?q=Desk.8')).json.data).toHaveLength(1);
    });

    it('a name that looks like a reference is none', async () => {
      const { eid } = await make('agent', { name: 'Free' });
      await send('POST', '/v1/ivr', { body: menu({ name: `extension||${eid}` }) });
      expect((await send('DELETE', `/v1/agent/${eid}`)).status).toBe(200);
    });

    it('a made eid is never given again', async () => {
      const { eid } = await make('agent', { name: 'Leaves' });
      await send('DELETE', `/v1/agent/${eid}`);
      expect((await make('agent', { name: 'Comes' })).eid).not.toBe(eid);
    });

    it('a team with agents and a department in a menu are refused, empty ones go', async () => {
      const team = await make('team', { name: 'T' });
      const { eid } = await make('agent', { name: 'Member', team_id: team.id });
      expect((await send('DELETE', `/v1/team/${team.id}`)).json.ReferencedBy).toEqual([
        { kind: 'agent', id: eid, name: 'Member' },
      ]);
      await send('PUT', `/v1/agent/${eid}`, { body: { name: 'Member' } });
      expect((await send('DELETE', `/v1/team/${team.id}`)).status).toBe(200);
      const department = await make('department', { name: 'D' });
      await send('POST', '/v1/ivr', { body: menu({ invalid_destination: `department||${department.id}` }) });
      expect((await send('DELETE', `/v1/department/${department.id}`)).status).toBe(409);
    });
  });
});

// Time groups, announcements and voicemail boxes, and what agents show of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type SharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const OFFICE = {
  name: 'Office hours',
  timezone: 'Europe/Berlin',
  weekly: [{ days: ['fri', 1, 'tue', 3, 'thu'], from: '09:00', to: '17:30' }],
  exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26' }],
  open_destination: 'hangup|now',
};

onAnyDatabase((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  const make = async (what: string, body: object): Promise<Json> => {
    const reply = await ask('POST', `/v1/${what}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.json;
  };
  const listed = async (eid: string): Promise<Json> =>
    (await ask('GET', '/v1/agents')).json.find((one: Json) => one.eid === eid);

  describe('a time group', () => {
    test('is closed until a time, whatever its week says, and opens again', async () => {
      const weekly = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }];
      const { id } = await make('timegroup', { name: 'Always', timezone: 'UTC', weekly });
      const path = `/v1/timegroup/${id}`;
      const closed_until = new Date(Date.now() + 3_600_000).toISOString();
      expect((await ask('PATCH', path, { closed_until })).status).toBe(200);
      expect((await ask('GET', path)).json).toMatchObject({
        closed_until,
        open_now: false,
        next_change: closed_until,
      });
      expect((await ask('GET', `${path}?at=${closed_until}`)).json.open_now).toBe(true);
      expectFailure(await ask('PATCH', path, { closed_until: 'tomorrow' }), 'fields_invalid');
      await ask('PATCH', path, { closed_until: null });
      expect((await ask('GET', path)).json).toMatchObject({ closed_until: null, open_now: true });
    });

    test('is created, read in our own form, replaced, listed and deleted', async () => {
      const made = await make('timegroup', OFFICE);
      expect(made.Message).toMatch(/no destination for calls while it is closed/);
      const path = `/v1/timegroup/${made.id}`;
      expect((await ask('GET', path)).json).toMatchObject({
        id: made.id,
        name: 'Office hours',
        timezone: 'Europe/Berlin',
        weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:30' }],
        exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26', hours: [] }],
        open_destination: 'hangup||now',
        closed_destination: null,
        closed_until: null,
        open_now: expect.any(Boolean),
        next_change: expect.stringMatching(/^\d{4}-.*Z$/),
        version: 1,
      });
      expect((await ask('PUT', path, { name: 'Replaced', timezone: 'UTC' })).status).toBe(200);
      const { data } = (await ask('GET', '/v1/timegroups?q=replaced')).json;
      expect(data).toMatchObject([
        { name: 'Replaced', weekly: [], open_now: false, exception_now: null, version: 2 },
      ]);
      expect((await ask('GET', path)).json.next_change).toBeNull();
      expect((await ask('DELETE', path)).status).toBe(200);
      expectFailure(await ask('GET', path), 'record_unknown');
    });

    test('is asked about any moment', async () => {
      const { id } = await make('timegroup', OFFICE);
      const at = async (moment: string): Promise<Json> =>
        (await ask('GET', `/v1/timegroup/${id}?at=${moment}`)).json;
      expect(await at('2026-03-27T15:00:00Z')).toMatchObject({
        open_now: true,
        next_change: '2026-03-27T16:30:00.000Z',
      });
      // The clock goes forward on Sunday.
      expect(await at('2026-03-27T18:00:00Z')).toMatchObject({
        open_now: false,
        next_change: '2026-03-30T07:00:00.000Z',
      });
      expect(await at('2026-12-24T10:00:00%2B01:00')).toMatchObject({
        open_now: false,
        exception_now: 'Christmas',
        next_change: '2026-12-28T08:00:00.000Z',
      });
      expectFailure(await ask('GET', `/v1/timegroup/${id}?at=tomorrow`), 'query_invalid');
    });

    test.each([
      ['a zone nobody knows', { timezone: 'Mars/Base' }, '/timezone', 'timezone_unknown'],
      [
        'a day nobody knows',
        { weekly: [{ days: ['someday'], from: '09:00', to: '10:00' }] },
        '/weekly/0/days/0',
        'value_not_allowed',
      ],
      ['no days', { weekly: [{ days: [], from: '09:00', to: '10:00' }] }, '/weekly/0/days', 'list_too_short'],
      [
        'a time without minutes',
        { weekly: [{ days: [1], from: '9', to: '10:00' }] },
        '/weekly/0/from',
        'text_malformed',
      ],
      [
        'a time too late',
        { weekly: [{ days: [1], from: '09:00', to: '24:01' }] },
        '/weekly/0/to',
        'text_malformed',
      ],
      ['a time that is missing', { weekly: [{ days: [1], from: '09:00' }] }, '/weekly/0/to', 'field_missing'],
      ['hours in words', { weekly: ['always'] }, '/weekly/0', 'value_not_allowed'],
      [
        'a date that is none',
        { exceptions: [{ name: 'x', from: '2026-02-30' }] },
        '/exceptions/0/from',
        'text_malformed',
      ],
      [
        'a span backwards',
        { exceptions: [{ name: 'x', from: '2026-02-10', to: '2026-02-01' }] },
        '/exceptions/0/to',
        'text_malformed',
      ],
      [
        'too many exceptions',
        { exceptions: Array(201).fill({ name: 'x', from: '01-01' }) },
        '/exceptions',
        'list_too_long',
      ],
      [
        'too many weekly times',
        { weekly: Array(51).fill({ days: [1], from: '09:00', to: '10:00' }) },
        '/weekly',
        'list_too_long',
      ],
      [
        'a destination of another kind',
        { open_destination: 'moon||1' },
        '/open_destination',
        'destination_unknown_kind',
      ],
    ])('with %s is refused', async (_, change, pointer, code) => {
      const reply = await ask('POST', '/v1/timegroup', { ...OFFICE, ...change });
      expectFailure(reply, 'fields_invalid');
      expect(reply.json.Errors).toMatchObject([{ Pointer: pointer, Code: code }]);
    });

    test('that agents or menus use is not deleted unless forced', async () => {
      const { id } = await make('timegroup', { name: 'Needed', timezone: 'UTC' });
      const { eid } = await make('agent', { name: 'Ann', timegroup_id: id });
      await make('number', { number: '5550', destination: `timegroup||${id}` });
      const refused = await ask('DELETE', `/v1/timegroup/${id}`);
      expectFailure(refused, 'still_referenced');
      expect(refused.json.ReferencedBy).toEqual([
        { kind: 'number', id: expect.any(String), name: '5550' },
        { kind: 'agent', id: eid, name: 'Ann' },
      ]);
      expect((await ask('DELETE', `/v1/timegroup/${id}?force=true`)).status).toBe(200);
      expect(await listed(eid)).toMatchObject({ timegroup_id: id, timegroup_name: null });
    });
  });

  describe('agents', () => {
    test('show their hours and follow changes of them at once', async () => {
      const { id } = await make('timegroup', { name: 'Day', timezone: 'UTC' });
      const { eid } = await make('agent', { name: 'Ben', timegroup_id: id });
      expect(await listed(eid)).toMatchObject({ timegroup_id: id, timegroup_name: 'Day' });
      await ask('PUT', `/v1/timegroup/${id}`, { name: 'Night', timezone: 'UTC' });
      expect(await listed(eid)).toMatchObject({ timegroup_name: 'Night' });
      const page = await ask('GET', `/v2/agents?timegroup_id=${id}`);
      expect(page.json.data).toMatchObject([{ eid, timegroup_name: 'Night' }]);
      await ask('PUT', `/v1/agent/${eid}`, { name: 'Ben' });
      expect(await listed(eid)).toMatchObject({ timegroup_id: null, timegroup_name: null });
    });

    test('warn of a time group that does not exist, and a strict account refuses it', async () => {
      const body = { name: 'Cy', timegroup_id: 'none' };
      expect((await make('agent', body)).Message).toMatch(/timegroup_id: There is no time group none/);
      await ask('PATCH', '/v1/settings', { strict_references: true });
      const refused = await ask('POST', '/v1/agent', body);
      await ask('PATCH', '/v1/settings', { strict_references: false });
      expectFailure(refused, 'fields_invalid');
    });

    test('name every kind of failover', async () => {
      const hours = await make('timegroup', { name: 'Late', timezone: 'UTC' });
      const notice = await make('announcement', {
        name: 'Notice',
        recording: 'x',
        destination: 'hangup||now',
      });
      const box = await make('voicemail_box', { name: 'Box' });
      const ivr = (await ask('POST', '/v1/ivr', menu({ name: 'Evening' }))).headers.get('location') ?? '';
      const ivrId = ivr.split('/').at(-1);
      const names: Record<string, string | null> = {
        [`timegroup||${hours.id}`]: 'Late',
        [`announcement||${notice.id}`]: 'Notice',
        [`voicemail||${box.id}`]: 'Box',
        [`ivr||${ivrId}`]: 'Evening',
        'hangup||now': 'Hang up',
        'ivr||none': null,
        'voicemail||none': null,
      };
      let last = '';
      for (const [failover_destination, name] of Object.entries(names)) {
        const { eid } = await make('agent', { name: 'Di', failover_destination });
        expect(await listed(eid)).toMatchObject({ failover_destination, failover_destination_name: name });
        const { json } = await ask('GET', `/v1/agent/${eid}`);
        expect(json).toMatchObject({ failover_destination_name: name });
        if (name === 'Evening') last = eid;
      }
      // A menu is not in the directory, and is followed all the same.
      const before = await ask('GET', '/v1/agents');
      await ask('PUT', ivr, menu({ name: 'Night' }));
      expect(await listed(last)).toMatchObject({ failover_destination_name: 'Night' });
      await ask('PUT', ivr, menu({ name: 'Evening', description: 'other' }));
      const after = await ask('GET', '/v1/agents');
      expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
      const { data } = (await ask('GET', '/v2/agents?q=di&limit=500')).json;
      expect(data.find((one: Json) => one.eid === last).failover_destination_name).toBe('Evening');
      await ask('DELETE', `${ivr}?force=true`);
      expect(await listed(last)).toMatchObject({ failover_destination_name: null });
    });

    test('forget a team that is renamed or deleted at once', async () => {
      const team = await make('team', { name: 'Blue' });
      const { eid } = await make('agent', { name: 'Eve', team_id: team.id });
      expect(await listed(eid)).toMatchObject({ team_name: 'Blue' });
      await ask('PUT', `/v1/team/${team.id}`, { name: 'Green' });
      expect(await listed(eid)).toMatchObject({ team_name: 'Green' });
      expectFailure(await ask('DELETE', `/v1/team/${team.id}`), 'still_referenced');
      await ask('DELETE', `/v1/team/${team.id}?force=true`);
      expect(await listed(eid)).toMatchObject({ team_id: team.id, team_name: null });
    });
  });

  test('an announcement is created, read, replaced, listed and deleted, and warns of what is not there', async () => {
    const made = await make('announcement', { name: 'Law', recording: 5, destination: 'ivr|none' });
    expect(made.Message).toMatch(/^Announcement created, with 3 warnings: /);
    const path = `/v1/announcement/${made.id}`;
    expect((await ask('GET', path)).json).toMatchObject({
      name: 'Law',
      recording: 'recording||5',
      destination: 'ivr||none',
    });
    await make('agent', { name: 'Fay', failover_destination: `announcement||${made.id}` });
    expectFailure(await ask('DELETE', path), 'still_referenced');
    const changed = await ask('PUT', path, { name: 'Rule', recording: '5', destination: 'hangup||now' });
    expect(changed.status, changed.text).toBe(200);
    expect((await ask('GET', '/v1/announcements?q=rul')).json.data).toMatchObject([
      { id: made.id, version: 2 },
    ]);
    expect((await ask('DELETE', `${path}?force=true`)).status).toBe(200);
    const faulty = await ask('POST', '/v1/announcement', { name: ' ', recording: 'extension||1' });
    expect(faulty.json.Errors.map(({ Code }: Json) => Code)).toEqual([
      'text_empty',
      'recording_unknown_kind',
      'field_missing',
    ]);
  });

  test('a department that fails over to a menu is not told that there is none', async () => {
    const ivr = (await ask('POST', '/v1/ivr', menu())).headers.get('location')?.split('/').at(-1);
    const made = await make('department', { name: 'x', failover_destination: `ivr||${ivr}` });
    expect(made.Message).toBe('Department created.');
  });

  describe('a voicemail box', () => {
    test('is created with what is usual, read, replaced, listed and deleted', async () => {
      const made = await make('voicemail_box', { name: 'Sales' });
      expect(made.Message).toBe('Voicemail box created.');
      const path = `/v1/voicemail_box/${made.id}`;
      expect((await ask('GET', path)).json).toMatchObject({
        name: 'Sales',
        greeting: null,
        max_seconds: 120,
        silence_seconds: 5,
        email: null,
      });
      const all = {
        name: 'Help',
        greeting: 'hello',
        max_seconds: '600',
        silence_seconds: 30,
        email: 'a.b+c@example.com',
      };
      expect((await ask('PUT', path, all)).json.Message).toMatch(/Recording hello does not exist/);
      expect((await ask('GET', '/v1/voicemail_boxes?q=EXAMPLE.com')).json.data).toMatchObject([
        { ...all, max_seconds: 600, greeting: 'recording||hello' },
      ]);
      expect((await ask('DELETE', path)).status).toBe(200);
    });

    test.each([
      ['no time', { max_seconds: 0 }, '/max_seconds'],
      ['too much time', { max_seconds: 601 }, '/max_seconds'],
      ['no silence', { silence_seconds: 0 }, '/silence_seconds'],
      ['long silence', { silence_seconds: 31 }, '/silence_seconds'],
      ['no address', { email: 'sales' }, '/email'],
      ['two addresses', { email: 'a@example.com,b@example.com' }, '/email'],
      ['a header behind the address', { email: 'a@example.com\nBcc: b@example.com' }, '/email'],
      ['a long address', { email: `${'a'.repeat(250)}@example.com` }, '/email'],
    ])('with %s is refused', async (_, change, pointer) => {
      const reply = await ask('POST', '/v1/voicemail_box', { name: 'x', ...change });
      expectFailure(reply, 'fields_invalid');
      expect(reply.json.Errors).toMatchObject([{ Pointer: pointer }]);
    });
  });

  test('a simulated call goes by the hours, an announcement and a box', async () => {
    const box = await make('voicemail_box', { name: 'Night' });
    const notice = await make('announcement', {
      name: 'Closed',
      recording: 'x',
      destination: `voicemail||${box.id}`,
    });
    const hours = await make('timegroup', {
      ...OFFICE,
      open_destination: 'hangup||now',
      closed_destination: `announcement||${notice.id}`,
    });
    const ivr = menu({ destination: [`timegroup||${hours.id}`, 'hangup||now'] });
    const at = async (moment: string): Promise<Json> =>
      (await ask('POST', '/v1/simulate', { ivr, script: '1', at: moment })).json;
    const open = await at('2026-03-27T15:00:00Z');
    const closed = await at('2026-03-27T18:00:00Z');
    expect([open.outcome.kind, closed.outcome.kind]).toEqual(['hung-up', 'voicemail']);
  });
});

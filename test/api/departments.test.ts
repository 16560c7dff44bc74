// Departments and their lines over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const LINE = {
  queue: true,
  music_on_hold: 'recording||tune',
  announce_position: 30,
  announce_wait: true,
  announce_recording: 'recording||tune',
  announce_recording_seconds: 90,
  max_wait_seconds: 300,
  max_waiting: 20,
  wrapup_seconds: 10,
  join_when_empty: true,
  exit_key: '0',
  callback_key: '5',
  callback_offer_seconds: 45,
  callback_recording: 'recording||tune',
  callback_first: 'caller',
  callback_attempts: 2,
  callback_pause_seconds: 60,
  callback_hours: 'timegroup||day',
  callbacks_per_hour: 12,
};
const NO_LINE = {
  queue: false,
  music_on_hold: null,
  announce_position: 0,
  announce_wait: false,
  announce_recording: null,
  announce_recording_seconds: 60,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: null,
  callback_key: null,
  callback_first: 'agent',
  callback_attempts: 3,
  callback_pause_seconds: 300,
  callback_hours: null,
  callbacks_per_hour: 30,
};

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { DEMO: 'on', ...(await database.environment()) } });
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  const make = async (body: object) => (await ask('POST', '/v1/department', { name: 'D', ...body })).json;

  test('a department has no line unless it is asked for, and keeps what is', async () => {
    const plain = await make({});
    expect((await ask('GET', `/v1/department/${plain.id}`)).json).toMatchObject(NO_LINE);
    const lined = await make({ ...LINE, music_on_hold: 'tune' });
    const path = `/v1/department/${lined.id}`;
    expect((await ask('GET', path)).json).toMatchObject(LINE);
    expect((await ask('PUT', path, { name: 'D' })).status).toBe(200);
    expect((await ask('GET', path)).json).toMatchObject(NO_LINE);
  });

  test('departments written before there were queues are shown whole', async () => {
    // The demonstration's records are stored without these fields.
    expect((await ask('GET', '/v1/department/support')).json).toMatchObject({ name: 'Support', ...NO_LINE });
  });

  test.each([
    ['queue', 'yes', 'value_not_allowed'],
    ['music_on_hold', 'extension||1', 'recording_unknown_kind'],
    ['announce_position', -1, 'number_out_of_range'],
    ['announce_position', 3_601, 'number_out_of_range'],
    ['max_wait_seconds', 43_201, 'number_out_of_range'],
    ['max_waiting', 1_001, 'number_out_of_range'],
    ['wrapup_seconds', 'long', 'number_malformed'],
    ['join_when_empty', 1, 'value_not_allowed'],
    ['exit_key', '10', 'text_malformed'],
    ['exit_key', 'A', 'text_malformed'],
    ['callback_key', '55', 'text_malformed'],
    ['callback_first', 'both', 'value_not_allowed'],
    ['callback_attempts', 11, 'number_out_of_range'],
    ['callback_pause_seconds', 29, 'number_out_of_range'],
    ['callback_hours', 'ivr||x', 'text_malformed'],
    ['callbacks_per_hour', 1_001, 'number_out_of_range'],
  ])('%s %j is refused with its place', async (field, value, code) => {
    const reply = await ask('POST', '/v1/department', { name: 'D', [field]: value });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: `/${field}`, Code: code }]);
  });

  test('one key cannot both leave the queue and ask for a call-back', async () => {
    const reply = await ask('POST', '/v1/department', { name: 'D', exit_key: '5', callback_key: '5' });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: '/callback_key', Code: 'callback_key_taken' }]);
  });

  test('departments are found by name, description and agent, teams by name', async () => {
    const names = async (path: string): Promise<string[]> =>
      (await ask('GET', path)).json.data.map(({ name }: { name: string }) => name);
    await make({ name: 'Spare parts', description: 'Bolts and nuts', agents: ['100002'] });
    await make({ name: 'Nutrition', agents: ['900001'] });
    await ask('POST', '/v1/team', { name: 'Night shift' });
    expect(await names('/v1/departments?q=NUT')).toEqual(['Spare parts', 'Nutrition']);
    expect(await names('/v1/departments?agent=900001')).toEqual(['Nutrition']);
    expect(await names('/v1/departments?q=nut&agent=100002')).toEqual(['Spare parts']);
    expect(await names('/v1/departments?agent=nobody-at-all')).toEqual([]);
    expect(await names('/v1/teams?q=night')).toEqual(['Night shift']);
    expectFailure(await ask('GET', '/v1/departments?agent=a%20b'), 'query_invalid');
  });

  test('music that does not exist and a line without end are warned about', async () => {
    const { Message } = await make({ ...LINE, agents: ['100001'], max_wait_seconds: 0 });
    expect(Message).toContain('the built-in music');
    expect(Message).toContain('without end');
  });

  test('the line of a department shows its agents, and nobody waits without telephones', async () => {
    const { id } = await make({ queue: true, agents: ['100001', 'nobody'] });
    expect((await ask('GET', `/v1/department/${id}/queue`)).json).toEqual({
      id,
      name: 'D',
      queue: true,
      estimated_wait_ms: null,
      waiting: [],
      callbacks: [],
      agents: [
        { eid: '100001', name: 'Asha', state: 'away', agent_state: null },
        { eid: 'nobody', name: null, state: 'away', agent_state: null },
      ],
    });
    expectFailure(await ask('GET', '/v1/department/none/queue'), 'record_unknown');
  });

  test('a line is tried without a phone', async () => {
    const { id } = await make({ queue: true, agents: ['100001'], strategy: 'in_order' });
    const ivr = {
      name: 'Line',
      description: '',
      recording: 'recording||welcome',
      timeout: 5,
      option: ['1'],
      destination: [`department||${id}`],
      incorrect_count: 1,
      invalid_recording: 'recording||invalid',
      invalid_destination: 'hangup||now',
      timeout_retry_recording: 'recording||still-there',
      timeout_recording: 'recording||connecting',
      timeout_destination: 'hangup||now',
      timeout_tries: 1,
    };
    const { json } = await ask('POST', '/v1/simulate', {
      ivr,
      script: '1',
      agents: { 'extension||100001': 'busy 30s' },
      waiting: { [`department||${id}`]: 1 },
    });
    expect(json.outcome).toMatchObject({ kind: 'connected', destination: 'extension||100001' });
    // The caller before talks for a minute from the thirtieth second on.
    expect(json.steps.find(({ code }: { code: string }) => code === 'queue-turn').at_ms).toBe(90_000);
    const bad = await ask('POST', '/v1/simulate', { ivr, waiting: { x: -1 } });
    expect(bad.json.Errors).toMatchObject([{ Pointer: '/waiting/x', Code: 'scenario_malformed' }]);
  });
});

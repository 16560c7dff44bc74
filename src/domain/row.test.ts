import { describe, expect, it } from 'vitest';
import { RECORD_KINDS } from '../kinds/lists.ts';
import { readData, readRow } from './row.ts';

describe('a row', () => {
  it('of an older version gets the defaults of the members it lacks', () => {
    const json = JSON.stringify({ name: 'Sales', description: '', agents: ['1'], strategy: 'random' });
    expect(readData('department', json)).toEqual({
      name: 'Sales',
      description: '',
      agents: ['1'],
      agent_levels: {},
      priority: 0,
      strategy: 'random',
      ring_seconds: null,
      ring_together: 1,
      failover_destination: null,
      full_destination: null,
      timeout_destination: null,
      after_call_destination: null,
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
      callback_offer_seconds: 0,
      callback_recording: null,
      callback_first: 'agent',
      callback_attempts: 3,
      callback_pause_seconds: 300,
      callback_hours: null,
      callbacks_per_hour: 30,
    });
  });

  it('keeps what it has, null and false among it, in its order', () => {
    const json = '{"number":"100","description":"","destination":"ivr||main","priority":0}';
    expect(JSON.stringify(readData('number', json))).toBe(json);
    expect(readData('agent', '{"record_calls":true,"timegroup_id":null}')).toMatchObject({
      record_calls: true,
      timegroup_id: null,
      sip_sha256: false,
    });
  });

  it.each(RECORD_KINDS)('of the kind %s becomes a record of that kind', (kind) => {
    const stamps = { id: 'x', version: 3, createdAtMs: 1, updatedAtMs: 2 };
    expect(readRow(kind, { ...stamps, json: '{"name":"x"}' })).toMatchObject({ ...stamps, kind });
  });
});

import { describe, expect, it } from 'vitest';
import { makeGraph, NEW_MENU, targetsOf } from './graph.ts';
import type { MapRecords } from './map-records.ts';

const MENU = {
  id: 'main',
  name: 'Main menu',
  description: '',
  option: ['1', '2', '0'],
  destination: ['department||sales', 'ivr||gone', 'hangup||busy'],
  invalid_destination: 'extension|7',
  timeout_destination: 'number||+911234',
};

const RECORDS: MapRecords = {
  collect: [],
  request: [],
  stream: [],
  switch: [],
  message: [],
  sip_address: [],
  number: [{ id: 'n1', number: '100', destination: 'timegroup||office', description: 'Front door' }],
  ivr: [MENU, { ...MENU, id: 'spare', name: 'Spare', destination: ['ivr||main', 'ivr||main', 'ivr||spare'] }],
  timegroup: [
    {
      id: 'office',
      name: 'Office',
      timezone: 'UTC',
      open_destination: 'ivr||main',
      closed_destination: null,
    },
    { id: 'lunch', name: 'Lunch', timezone: 'UTC', open_destination: null, closed_destination: null },
  ],
  announcement: [{ id: 'sorry', name: 'Sorry', destination: 'voicemail||box' }],
  department: [
    {
      id: 'sales',
      name: 'Sales',
      description: '',
      agents: ['7', '8', '9'],
      failover_destination: 'announcement||sorry',
      full_destination: null,
      timeout_destination: null,
    },
  ],
  agent: [
    { eid: '7', name: 'Asha', intercom: '1001', custom_status: 0, failover_destination: null },
    { eid: '8', name: 'Ben', intercom: '1002', custom_status: 1, failover_destination: 'extension||7' },
  ],
  voicemail: [{ id: 'box', name: 'Box', email: null }],
  trunk: [],
  room: [{ id: 'weekly', name: 'Weekly', failover_destination: 'voicemail||box' }],
};

describe('the graph', () => {
  const graph = makeGraph(RECORDS);
  const ways = (id: string) =>
    graph.byId
      .get(id)
      ?.ways.map(({ reason, keys, to, ends }) => [reason, keys, to.join(), ends].filter(Boolean).join(' '));

  it('has a line for each key of a menu, for a wrong one and for silence', () => {
    expect(ways('ivr||main')).toEqual([
      'key 1 department||sales',
      'key 2 ivr||gone',
      'key 0 busy',
      'invalid extension||7',
      'timeout number||+911234',
    ]);
  });

  it('says why calls go on from everything else', () => {
    expect(ways('dialled||n1')).toEqual(['dialled timegroup||office']);
    expect(ways('timegroup||office')).toEqual(['open ivr||main', 'closed unserved']);
    expect(ways('department||sales')).toEqual([
      'member extension||7,extension||8,extension||9',
      'failover announcement||sorry',
    ]);
    expect(ways('announcement||sorry')).toEqual(['then voicemail||box']);
    expect(ways('extension||8')).toEqual(['failover extension||7']);
    expect(ways('timegroup||lunch')).toEqual([]);
  });

  it('shows what is pointed to and does not exist as missing, and numbers outside as what they are', () => {
    const kinds = ['ivr||gone', 'extension||9', 'number||+911234'].map((id) => graph.byId.get(id)?.kind);
    expect(kinds).toEqual(['missing', 'missing', 'outside']);
  });

  it('knows what no number leads to', () => {
    const lost = graph.nodes.filter(({ reached }) => !reached).map(({ id }) => id);
    expect(lost).toEqual(['ivr||spare', 'timegroup||lunch', 'room||weekly']);
  });

  it('knows where one can go and where one came from, each place once', () => {
    const spare = graph.byId.get('ivr||spare');
    expect(spare && targetsOf(spare)).toEqual(['ivr||main', 'ivr||spare', 'extension||7', 'number||+911234']);
    expect(graph.sources.get('ivr||main')).toEqual(['ivr||spare', 'timegroup||office']);
  });

  it('marks agents who get no calls', () => {
    expect(graph.nodes.filter(({ blocked }) => blocked).map(({ name }) => name)).toEqual(['Ben']);
  });
});

describe('a draft', () => {
  it('stands in place of the stored menu, half-written as it is', () => {
    const draft = { ...MENU, option: ['1', '5'], destination: ['', 'voicemail||box'] };
    const main = makeGraph(RECORDS, { id: 'main', menu: draft }).byId.get('ivr||main');
    expect(main?.draft).toBe(true);
    expect(main?.ways.slice(0, 2)).toMatchObject([
      { keys: '1', to: [], ends: 'unserved' },
      { keys: '5', to: ['voicemail||box'], ends: null },
    ]);
  });

  it('stands beside the others when the menu is new', () => {
    const graph = makeGraph(RECORDS, { id: null, menu: { ...MENU, name: 'Fresh' } });
    expect(graph.byId.get(NEW_MENU)).toMatchObject({ name: 'Fresh', draft: true, reached: false });
    expect(graph.byId.get('ivr||main')?.draft).toBe(false);
  });
});

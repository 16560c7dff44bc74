import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readExportFile } from '../read-export-file.ts';
import { FREEPBX_TABLES, fromFreePbx } from './freepbx.ts';
import { readHours } from './freepbx-hours.ts';
import type { Row } from './sql-dump.ts';

const office = (): Record<string, Row[]> => ({
  users: [
    { extension: '1001', name: 'Asha', voicemail: 'default' },
    { extension: '1002', name: 'Ben', voicemail: 'novm', noanswer_dest: 'ext-group,600,1' },
    { extension: 'x', name: 'Broken' },
  ],
  ringgroups: [
    {
      grpnum: '600',
      description: 'Sales',
      strategy: 'hunt',
      grptime: '20',
      grplist: '1001-1002-5551234#',
      postdest: 'ext-local,vmu1001,1',
      annmsg_id: '3',
    },
    {
      grpnum: '601',
      description: 'Sales',
      strategy: 'memoryhunt',
      grptime: '',
      grplist: '1002',
      postdest: '',
    },
  ],
  queues_config: [{ extension: '700', descr: 'Support', maxwait: '300', dest: 'app-blackhole,hangup,1' }],
  queues_details: [
    { id: '700', keyword: 'strategy', data: 'leastrecent' },
    { id: '700', keyword: 'timeout', data: '15' },
    { id: '700', keyword: 'wrapuptime', data: '5' },
    { id: '700', keyword: 'member', data: 'Local/1002@from-queue/n,0' },
    { id: '700', keyword: 'member', data: 'Local/0123456789012@from-queue/n,0' },
  ],
  timeconditions: [
    {
      timeconditions_id: '1',
      displayname: 'Open?',
      time: '4',
      truegoto: 'ivr-2,s,1',
      falsegoto: 'app-announcement-5,s,1',
      timezone: 'Europe/Berlin',
    },
  ],
  timegroups_groups: [{ id: '4', description: 'Office' }],
  timegroups_details: [
    { id: '1', timegroupid: '4', time: '09:00-17:00|mon-fri|*|*' },
    { id: '2', timegroupid: '4', time: '09:00-12:00|*|24|dec' },
  ],
  announcement: [
    { announcement_id: '5', description: 'Closed', recording_id: '9', post_dest: 'ext-meetme,8000,1' },
  ],
  recordings: [{ id: '9', displayname: 'closed', filename: 'custom/we are closed' }],
  ivr_details: [
    {
      id: '2',
      name: 'Main',
      description: 'First',
      announcement: '9',
      directdial: 'ext-local',
      invalid_loops: '3',
      invalid_destination: 'ext-queues,700,1',
      timeout_time: '8',
      timeout_loops: 'disabled',
      timeout_destination: 'from-did-direct,1001,1',
      invalid_retry_recording: 'default',
    },
    { id: '3', name: 'Empty', announcement: '', timeout_destination: 'ivr-2,s,1' },
  ],
  ivr_entries: [
    { ivr_id: '2', selection: '1', dest: 'ext-group,600,1', ivr_ret: '0' },
    { ivr_id: '2', selection: '2', dest: 'ext-queues,700,1', ivr_ret: '1' },
    { ivr_id: '2', selection: '9', dest: 'app-daynight,0,1', ivr_ret: '0' },
    { ivr_id: '2', selection: '_X.', dest: 'ivr-3,s,1', ivr_ret: '0' },
  ],
  incoming: [
    { extension: '+49 30 555-100', cidnum: '', destination: 'timeconditions,1,1', description: 'Main line' },
    { extension: '', cidnum: '', destination: 'ivr-2,s,1' },
    { extension: '_49X.', cidnum: '', destination: 'ivr-2,s,1' },
    { extension: '4930', cidnum: '0170', destination: 'ivr-2,s,1' },
  ],
});
const read = (tables: Record<string, Row[]>, timezone: string | null = null) => {
  const { file, left } = fromFreePbx(new Map(Object.entries(tables)), { timezone });
  const reading = readExportFile(file);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return { file: reading.exportFile, left: left.map(({ place, reason }) => `${place}: ${reason}`) };
};

test('every kind of it becomes a record, and all of them lead to each other', () => {
  const { file } = read(office());
  expect(file.agent).toMatchObject([
    { eid: '1001', intercom: '1001', name: 'Asha', failover_destination: 'voicemail||Asha 1001' },
    { eid: '1002', failover_destination: 'department||Sales' },
  ]);
  expect(file.department).toMatchObject([
    {
      name: 'Sales',
      agents: ['1001', '1002'],
      strategy: 'in_order',
      ring_seconds: 20,
      failover_destination: 'voicemail||Asha 1001',
    },
    { name: 'Sales (2)', agents: ['1002'], strategy: 'simultaneous', failover_destination: 'hangup||now' },
    {
      name: 'Support',
      queue: true,
      agents: ['1002'],
      strategy: 'longest_idle',
      ring_seconds: 15,
      wrapup_seconds: 5,
      max_wait_seconds: 300,
    },
  ]);
  expect(file.timegroup).toMatchObject([
    {
      name: 'Open?',
      timezone: 'Europe/Berlin',
      weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
      open_destination: 'ivr||Main',
      closed_destination: 'announcement||Closed',
    },
  ]);
  expect(file.ivr).toMatchObject([
    {
      name: 'Main',
      recording: 'recording||freepbx-we-are-closed',
      option: ['1', '2', '9'],
      destination: ['department||Sales', 'department||Support', 'hangup||now'],
      incorrect_count: 3,
      invalid_destination: 'department||Support',
      timeout: 8,
      timeout_tries: 0,
      timeout_destination: 'extension||1001',
    },
  ]);
  expect(file.announcement).toMatchObject([{ name: 'Closed' }, { name: 'Empty', destination: 'ivr||Main' }]);
  expect(file.number).toMatchObject([
    { number: '+4930555100', destination: 'timegroup||Open?', description: 'Main line' },
  ]);
});

test('what is not taken over is reported with its place and the reason', () => {
  const { left } = read(office());
  for (const expected of [
    /^Extension "x": extensions have 2 to 10 digits/,
    /^Ring group 600 "Sales": members that are no extensions: 5551234#/,
    /^Ring group 600 "Sales": its announcement before the ringing/,
    /^Ring group 601 "Sales \(2\)": the strategy "memoryhunt"/,
    /^Queue 700 "Support": members that are no extensions/,
    /^Time condition 1 "Open\?": "09:00-12:00\|\*\|24\|dec": days of the year beside days of the week/,
    /^Announcement 5 "Closed": it leads to "ext-meetme,8000,1": a conference/,
    /^Announcement 5 "Closed": the sound: make the recording "freepbx-we-are-closed" of the sound file "custom\/we are closed"/,
    /^IVR 2 "Main", key 9: it leads to "app-daynight,0,1": call flow control/,
    /^IVR 2 "Main", key "_X\.": a key is 1 to 6/,
    /^IVR 2 "Main", key 2: the way back to the menu/,
    /^IVR 2 "Main": dialling extensions from within the menu/,
    /^IVR 3 "Empty": it has no choices/,
    /^Inbound route "": it is for every number/,
    /^Inbound route "_49X\.": it is a pattern/,
    /^Inbound route "4930 \/ 0170": it is for one caller alone/,
  ])
    expect(left).toContainEqual(expect.stringMatching(expected));
});

test('a time condition without a time zone gets the one that was said, or UTC with a word of it', () => {
  const tables = office();
  tables['timeconditions'] = [
    { timeconditions_id: '1', displayname: 'x', time: '4', truegoto: '', falsegoto: '', timezone: 'default' },
  ];
  expect(read(tables, 'Asia/Kolkata').file.timegroup[0]?.timezone).toBe('Asia/Kolkata');
  expect(read(tables).left).toContainEqual(expect.stringContaining('UTC is set'));
});

test('hours are read as FreePBX means them', () => {
  expect(readHours(['*|sat-mon|*|*']).weekly).toEqual([
    { days: ['sat', 'sun', 'mon'], from: '00:00', to: '24:00' },
  ]);
  expect(readHours(['8:00-23:59|*|*|*']).weekly).toMatchObject([{ from: '08:00', to: '24:00' }]);
  expect(readHours(['*|*|25-26|dec', '*|*|*|jul-aug']).exceptions).toMatchObject([
    { from: '12-25', to: '12-26', hours: [{ from: '00:00', to: '24:00' }] },
    { from: '07-01', to: '08-31' },
  ]);
  expect(
    readHours(['25:00-26:00|*|*|*', '*|xyz|*|*', '*|mon|1|jan', '*|*|5|*', '*|*|31|feb', '']).left.map(
      ({ line }) => line,
    ),
  ).toEqual(['25:00-26:00|*|*|*', '*|xyz|*|*', '*|mon|1|jan', '*|*|5|*', '*|*|31|feb']);
});

test('nothing of FreePBX in it is an error', () => {
  expect(() => read({ cdr: [{ a: 'b' }] })).toThrow('nothing of FreePBX');
});

test('whatever the tables hold, the outcome is a file that can be read', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.constantFrom(
      '',
      '1',
      '2',
      '1001',
      'ivr-1,s,1',
      'ext-group,1,1',
      'disabled',
      '99999999999',
      '-1',
      'default',
      '*|*|1|jan',
    ),
  );
  const columns = [
    ...new Set(Object.values(office()).flatMap((rows) => rows.flatMap((row) => Object.keys(row)))),
  ];
  const row = fc.dictionary(fc.constantFrom(...columns), value, { maxKeys: columns.length });
  const tables = fc.dictionary(
    fc.constantFrom(...FREEPBX_TABLES),
    fc.array(row, { minLength: 1, maxLength: 5 }),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(tables, (given) => {
      const { file } = fromFreePbx(new Map(Object.entries(given)), { timezone: 'UTC' });
      const reading = readExportFile(file);
      const faults = reading.ok ? [] : reading.faults.filter(({ pointer }) => !pointer.endsWith('/timezone'));
      expect(faults).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

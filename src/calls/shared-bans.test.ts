import { expect, it } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { MemoryNotices } from '../sharing/memory/notices.ts';
import { MAX_PER_NOTICE, SharedBans } from './shared-bans.ts';

function bed() {
  const clock = new VirtualClock();
  const notices = new MemoryNotices((error) => {
    throw error;
  });
  const open = (node: string) => {
    const heard: string[] = [];
    const bans = new SharedBans(node, notices, clock);
    bans.follow((address, forMs) => void heard.push(`${address} ${forMs}`));
    return { bans, heard };
  };
  return { clock, notices, open };
}

it('an address that is banned at one node is banned at the others', () => {
  const { clock, open } = bed();
  const [a, b] = [open('a'), open('b')];
  a.bans.banned('192.0.2.1', 300_000);
  a.bans.banned('2001:db8::1', 300_000);
  clock.advance(200);
  expect(b.heard).toEqual(['192.0.2.1 300000', '2001:db8::1 300000']);
  expect(a.heard).toEqual([]);
  b.bans.close();
  a.bans.banned('192.0.2.2', 1);
  clock.advance(200);
  expect(b.heard).toHaveLength(2);
});

it('a flood from many addresses is five notices a second at most, each of them bounded', () => {
  const { clock, notices, open } = bed();
  let published = 0;
  notices.subscribe(
    'bans',
    () => void published++,
    () => undefined,
  );
  const [a, b] = [open('a'), open('b')];
  for (let index = 0; index < 5_000; index++)
    a.bans.banned(`2001:db8:1234:5678:9abc:def0:1234:${index.toString(16)}`, 1);
  clock.advance(1_000);
  expect([published, b.heard.length]).toEqual([1, MAX_PER_NOTICE]);
});

it('a notice that is no list of bans is ignored', () => {
  const { notices, open } = bed();
  const { heard } = open('a');
  const texts = [
    '',
    '{',
    'null',
    '{"node":"b","bans":[["nonsense",5],["192.0.2.1",-1],["192.0.2.1",1e12],5,["192.0.2.9",7]]}',
  ];
  for (const text of texts.slice(0, 3)) void notices.publish('bans', text);
  void notices.publish('bans', texts[3] ?? '');
  expect(heard).toEqual(['192.0.2.9 7']);
});

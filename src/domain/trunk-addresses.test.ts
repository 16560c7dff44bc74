import { describe, expect, it, test } from 'vitest';
import { workOf } from '../../test/support/work.ts';
import { addressFault, takenAddress, usedAddresses } from './trunk-addresses.ts';

const NONE = { private_networks: false, wide_networks: false };
const ALL = { private_networks: true, wide_networks: true };
const of = (accountId: string, ...addresses: string[]) => ({ accountId, addresses, limits: NONE });

type Module = typeof import('./trunk-addresses.ts');

/** How many times the work of some is that of ten times as many. */
async function growth(work: (module: Module, count: number) => unknown): Promise<number> {
  const runs = [20, 200].map((count) => (module: Module) => work(module, count));
  const [few = 0, many = 0] = await workOf(new URL('./trunk-addresses.ts', import.meta.url), runs);
  expect(few).toBeGreaterThan(1_000);
  return many / few;
}

describe('what an account may have (T38)', () => {
  test.each([
    ['203.0.113.7', null, null],
    ['203.0.113.0/24', null, null],
    ['203.0.112.0/23', 'wide', null],
    ['2001:db8:1::/48', null, null],
    ['2001:db8::/47', 'wide', null],
    ['127.0.0.1', 'private', null],
    ['127.0.0.0/8', 'private', null],
    ['192.168.1.1', 'private', null],
    ['::ffff:10.0.0.1', 'private', null],
    ['::ffff:203.0.112.0/119', 'wide', null],
    ['::ffff:0:0/96', 'private', null],
    ['fe80::1', 'private', null],
    ['sip.example.com', 'malformed', 'malformed'],
  ] as const)('%s: %s, and %s where the operator allows everything', (address, fault, allowed) => {
    expect([addressFault(address, NONE), addressFault(address, ALL)]).toEqual([fault, allowed]);
  });
});

describe('an address that another account has', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.7'],
    ['203.0.113.7', '203.0.113.0/25'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:0DB8:0::/64'],
  ])('%s is taken by %s', (wanted, theirs) => {
    expect(takenAddress(['198.51.100.1', wanted], [of('b', '192.0.2.1'), of('b', theirs)])).toBe(wanted);
  });

  it('is found among 200 trunks with 100 addresses in work that grows with them, not with what is wanted', async () => {
    const others = Array.from({ length: 200 }, (_, trunk) =>
      of('b', ...Array.from({ length: 100 }, (_, index) => `203.${trunk}.${index}.7`)),
    );
    const wanted = Array.from({ length: 200 }, (_, index) => `198.51.${index}.0/24`);
    expect(takenAddress(wanted, others)).toBeNull();
    const byTrunks = growth((module, count) => module.takenAddress(wanted, others.slice(0, count)));
    expect(await byTrunks).toBeLessThan(15);
    const byWanted = growth((module, count) => module.takenAddress(wanted.slice(0, count), others));
    expect(await byWanted).toBeLessThan(3);
    expect(takenAddress([...wanted, '203.199.99.0/24', '203.199.99.7'], others)).toBe('203.199.99.0/24');
  });

  it('is free beside it, and where the other account may not have it', () => {
    expect(takenAddress(['203.0.113.8'], [of('b', '203.0.113.7'), of('b', '203.0.0.0/8')])).toBeNull();
  });
});

describe('the addresses that calls are taken from', () => {
  it('are those an account may have, and of two accounts the earlier trunk’s; of one account both', () => {
    const trunks = [
      of('a', '203.0.113.0/28', '127.0.0.1'),
      of('b', '203.0.113.0/24', '198.51.100.1'),
      of('a', '203.0.113.1', '198.51.100.0/24'),
      of('c', '203.0.113.200'),
    ];
    expect(usedAddresses(trunks)).toEqual([
      ['203.0.113.0/28'],
      ['198.51.100.1'],
      ['203.0.113.1'],
      ['203.0.113.200'],
    ]);
  });

  it('are the same whether an account names them once or often, and nested ones are decided one by one', () => {
    const trunks = [
      of('a', '203.0.113.0/28', '203.0.113.0/28', '::ffff:203.0.113.0/124'),
      of('b', '203.0.113.0/24', '203.0.113.32/28'),
      of('c', '203.0.113.32/27', '203.0.113.40'),
      of('a', '203.0.113.0/24', '203.0.113.0/27', '203.0.113.0/28'),
    ];
    expect(usedAddresses(trunks)).toEqual([
      ['203.0.113.0/28', '203.0.113.0/28', '::ffff:203.0.113.0/124'],
      ['203.0.113.32/28'],
      [],
      ['203.0.113.0/27', '203.0.113.0/28'],
    ]);
  });

  it.each([
    ['identical', () => '203.0.113.7'],
    ['nested', (_: number, index: number) => `2001:db8:1::/${48 + (index % 81)}`],
    ['different', (trunk: number, index: number) => `203.${trunk}.${index}.7`],
    ['many accounts’', (trunk: number, index: number) => `198.${trunk}.${index}.0/24`],
  ])('are found for 200 trunks with 100 %s addresses in work that grows with them', async (kind, address) => {
    const trunks = Array.from({ length: 200 }, (_, trunk) =>
      of(
        kind === 'many accounts’' ? `${trunk}` : 'a',
        ...Array.from({ length: 100 }, (_, index) => address(trunk, index)),
      ),
    );
    expect(usedAddresses(trunks).flat()).toHaveLength(20_000);
    expect(await growth((module, count) => module.usedAddresses(trunks.slice(0, count)))).toBeLessThan(15);
  });
});

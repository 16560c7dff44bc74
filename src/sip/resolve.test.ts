import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { inOrder, type NameServer, type SrvRecord, TargetResolver } from './resolve.ts';

interface Zone {
  readonly [name: string]: readonly string[] | readonly SrvRecord[];
}

/** Names from a table, and a list of what was asked. */
function namesFrom(zone: Zone, ttl = 60) {
  const asked: string[] = [];
  const find = (kind: string, name: string) => {
    asked.push(`${kind} ${name}`);
    const found = zone[`${kind} ${name}`];
    if (found === undefined) throw new Error('ENOTFOUND');
    return found;
  };
  const addresses = (kind: string, name: string) =>
    find(kind, name).flatMap((each) => (typeof each === 'string' ? [{ address: each, ttl }] : []));
  const names: NameServer = {
    resolveSrv: async (name) => find('srv', name).flatMap((each) => (typeof each === 'string' ? [] : [each])),
    resolve4: async (name) => addresses('a', name),
    resolve6: async (name) => addresses('aaaa', name),
  };
  return { names, asked };
}

function srv(name: string, port: number, priority = 10, weight = 10): SrvRecord {
  return { name, port, priority, weight };
}

function uri(host: string, port = 0, transport = '', scheme = 'sip') {
  return { scheme, host, port, params: new Map(transport === '' ? [] : [['transport', transport]]) };
}

const brief = (targets: readonly { protocol: string; address: string; port: number }[]) =>
  targets.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`);

describe('finding a target (RFC 3263)', () => {
  test('takes a numeric host as it is', async () => {
    const { names, asked } = namesFrom({});
    const resolver = new TargetResolver({ names });
    expect(brief(await resolver.resolve(uri('192.0.2.1')))).toEqual(['udp 192.0.2.1 5060']);
    expect(brief(await resolver.resolve(uri('[2001:db8::1]', 5080, 'tcp')))).toEqual([
      'tcp 2001:db8::1 5080',
    ]);
    expect(brief(await resolver.resolve(uri('192.0.2.1', 0, 'udp', 'sips')))).toEqual(['tls 192.0.2.1 5061']);
    expect(brief(await resolver.resolve(uri('192.0.2.1', 0, 'TLS')))).toEqual(['tls 192.0.2.1 5061']);
    expect(asked).toEqual([]);
  });

  test('asks for addresses only when the port is given (§4.2)', async () => {
    const { names, asked } = namesFrom({
      'a pbx.example': ['192.0.2.1'],
      'aaaa pbx.example': ['2001:db8::1'],
    });
    const resolver = new TargetResolver({ names });
    expect(brief(await resolver.resolve(uri('pbx.example', 5070)))).toEqual([
      'udp 192.0.2.1 5070',
      'udp 2001:db8::1 5070',
    ]);
    expect(asked).toEqual(['a pbx.example', 'aaaa pbx.example']);
  });

  test('follows SRV by priority, with the domain as the name for the certificate', async () => {
    const { names } = namesFrom({
      'srv _sips._tcp.example.org': [srv('b.example', 5063, 20), srv('a.example', 5062, 10)],
      'a a.example': ['192.0.2.1'],
      'a b.example': ['192.0.2.2', '192.0.2.3'],
    });
    const targets = await new TargetResolver({ names }).resolve(uri('example.org', 0, 'tls'));
    expect(brief(targets)).toEqual(['tls 192.0.2.1 5062', 'tls 192.0.2.2 5063', 'tls 192.0.2.3 5063']);
    expect(targets.every(({ serverName }) => serverName === 'example.org')).toBe(true);
  });

  test('without a transport tries UDP, then TCP, then TLS; without SRV the addresses', async () => {
    const { names } = namesFrom({
      'srv _sip._tcp.example.org': [srv('t.example', 5060)],
      'srv _sip._udp.example.org': [srv('u.example', 5060)],
      'a t.example': ['192.0.2.1'],
      'a u.example': ['192.0.2.2'],
      'a plain.example': ['192.0.2.9'],
    });
    const resolver = new TargetResolver({ names });
    expect(brief(await resolver.resolve(uri('example.org')))).toEqual([
      'udp 192.0.2.2 5060',
      'tcp 192.0.2.1 5060',
    ]);
    expect(brief(await resolver.resolve(uri('plain.example')))).toEqual(['udp 192.0.2.9 5060']);
    expect(await resolver.resolve(uri('nowhere.example'))).toEqual([]);
  });

  test('asks the system, with its hosts file, when DNS knows nothing', async () => {
    const names = { ...namesFrom({}).names, lookup: async () => ['127.0.0.1'] };
    expect(brief(await new TargetResolver({ names }).resolve(uri('localhost', 0, 'tcp')))).toEqual([
      'tcp 127.0.0.1 5060',
    ]);
  });

  test('chooses among equal priorities by weight (RFC 2782)', () => {
    const records = [srv('light', 1, 10, 10), srv('heavy', 2, 10, 90), srv('last', 3, 20, 100)];
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let heavyFirst = 0;
    for (let i = 0; i < 1_000; i++) {
      const order = inOrder(records, random).map(({ name }) => name);
      expect(order[2]).toBe('last');
      if (order[0] === 'heavy') heavyFirst++;
    }
    expect(heavyFirst).toBeGreaterThan(850);
    expect(heavyFirst).toBeLessThan(950);
  });

  test('asks once while the answer lasts, and again after it', async () => {
    const { names, asked } = namesFrom({ 'a pbx.example': ['192.0.2.1'] }, 30);
    let now = 0;
    const resolver = new TargetResolver({ names, now: () => now, ipv6: false });
    await Promise.all([
      resolver.resolve(uri('pbx.example', 5060)),
      resolver.resolve(uri('PBX.example', 5060)),
    ]);
    now = 29_000;
    await resolver.resolve(uri('pbx.example', 5060));
    expect(asked).toHaveLength(1);
    now = 31_000;
    await resolver.resolve(uri('pbx.example', 5060));
    expect(asked).toHaveLength(2);
  });

  test.each([
    [30, 30_000],
    [1, 5_000],
  ])('remembers an answer with a time to live of %d s for %d ms', async (ttl, ms) => {
    const { names, asked } = namesFrom({ 'a pbx.example': ['192.0.2.1'] }, ttl);
    let now = 0;
    const resolver = new TargetResolver({ names, now: () => now, ipv6: false });
    for (now of [0, ms - 1]) await resolver.resolve(uri('pbx.example', 5060));
    expect(asked).toHaveLength(1);
    now = ms;
    await resolver.resolve(uri('pbx.example', 5060));
    expect(asked).toHaveLength(2);
  });

  test('bounds the targets, the cache and the time', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `192.0.2.${i}`);
    const { names } = namesFrom({ 'a many.example': many });
    const resolver = new TargetResolver({ names, ipv6: false });
    expect(await resolver.resolve(uri('many.example', 5060))).toHaveLength(16);
    for (let i = 0; i < 1_200; i++) await resolver.resolve(uri(`n${i}.example`, 5060));
    expect(resolver.cached).toBeLessThanOrEqual(1_000);
    const never = () => new Promise<never>(() => {});
    const silent: NameServer = { resolveSrv: never, resolve4: never, resolve6: never };
    const waiting = new TargetResolver({ names: silent, timeoutMs: 20 });
    const keepAlive = setTimeout(() => {}, 10_000);
    expect(await waiting.resolve(uri('slow.example'))).toEqual([]);
    clearTimeout(keepAlive);
  });

  test('works with a name server on the wire', async () => {
    const server = createSocket('udp4');
    server.on('message', (query, from) => server.send(answerTo(query), from.port, from.address));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const names = new Resolver({ timeout: 1_000, tries: 1 });
    names.setServers([`127.0.0.1:${server.address().port}`]);
    const targets = await new TargetResolver({ names, ipv6: false }).resolve(uri('wire.example', 5060));
    server.close();
    expect(brief(targets)).toEqual(['udp 192.0.2.77 5060']);
  });
});

/** RFC 1035: the same question, and one A record for it. */
function answerTo(query: Buffer): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  return Buffer.concat([
    header,
    question,
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 77]),
  ]);
}

test('a record of lower priority comes first whatever the weights behind it, and chance decides among equals (RFC 2782)', () => {
  const records = [srv('first', 1, 1, 0), srv('light', 2, 2, 10), srv('heavy', 3, 2, 90)];
  const names = (random: number) => inOrder(records, () => random).map(({ name }) => name);
  expect(names(0.99)).toEqual(['first', 'heavy', 'light']);
  expect(names(0)).toEqual(['first', 'light', 'heavy']);
});

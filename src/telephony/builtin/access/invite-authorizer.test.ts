import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DigestServer } from '../../../sip/digest.ts';
import type { SipRequest } from '../../../sip/message.ts';
import { parseMessage } from '../../../sip/parse.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { WebPhone } from '../../ports/web-phone.ts';
import type { Credentials } from '../../telephony.ts';
import { TrunkBook } from '../trunks/trunk-book.ts';
import { InviteAuthorizer, type Verdict } from './invite-authorizer.ts';

const REALM = 'dialtree';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

const credentials = (id: string, user: string, password: string, requireSha256 = false): Credentials => ({
  id,
  realm: REALM,
  md5: hash('md5', `${user}:${REALM}:${password}`),
  sha256: hash('sha256', `${user}:${REALM}:${password}`),
  requireSha256,
});

const USERS: Readonly<Record<string, readonly Credentials[]>> = {
  '1001': [credentials('acme/1', '1001', 'one'), credentials('other/7', '1001', 'seven')],
  '1002': [credentials('acme/2', '1002', 'two', true)],
  '1003': [credentials('acme/3', '1003', 'three'), credentials('other/3', '1003', 'third', true)],
};

const flowFrom = (address: string): TransportFlow => ({
  protocol: 'udp',
  local: { address: '192.0.2.1', port: 5060 },
  remote: { address, port: 40_000 },
  connection: 0,
});
const STRANGER = flowFrom('203.0.113.9');
const HERE = flowFrom('127.0.0.1');

function request(method: string, user: string, more = '', toTag = ''): SipRequest {
  const message = parseMessage(
    Buffer.from(
      `${method} sip:dialtree.example SIP/2.0\r\nVia: SIP/2.0/UDP 203.0.113.9;branch=z9hG4bKabc${more.length}\r\n` +
        `From: <sip:${user}@dialtree.example>;tag=a\r\nTo: <sip:${user}@dialtree.example>${toTag}\r\nCall-ID: c\r\n` +
        `CSeq: 1 ${method}\r\nMax-Forwards: 70\r\nContact: <sip:${user}@203.0.113.9>\r\n${more}Content-Length: 0\r\n\r\n`,
    ),
  );
  if (message.kind !== 'request') throw new Error(`not a request: ${JSON.stringify(message)}`);
  return message;
}

function answerTo(verdict: Verdict, method: string, user: string, password: string, algorithm = ''): string {
  const challenges = verdict.kind === 'refuse' ? (verdict.reply.headers ?? []) : [];
  const value = challenges.map(([, text]) => text).find((text) => text.includes(algorithm)) ?? '';
  const field = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(value)?.[1] ?? '';
  const chosen = field('algorithm');
  const digest = (text: string): string => hash(chosen === 'MD5' ? 'md5' : 'sha256', text);
  const uri = 'sip:dialtree.example';
  const ha1 = digest(`${user}:${REALM}:${password}`);
  const response = digest(`${ha1}:${field('nonce')}:00000001:xyz:auth:${digest(`${method}:${uri}`)}`);
  return (
    `Authorization: Digest username="${user}", realm="${REALM}", nonce="${field('nonce')}", uri="${uri}", ` +
    `response="${response}", algorithm=${chosen}, qop=auth, nc=00000001, cnonce="xyz"\r\n`
  );
}

function authorizer({
  phones = [] as TransportFlow[],
  both = false,
  locked = '',
  line = null as string | null,
  registered = null as string | null,
  digests = ['MD5'] as ('MD5' | 'SHA-256')[],
  web = null as WebPhone | null,
} = {}) {
  const trunks = new TrunkBook();
  const ids = both ? ['acme/t', 'acme/u'] : ['acme/t'];
  trunks.set(ids.map((id) => ({ id, addresses: ['198.51.100.7'] }) as never));
  const failed: string[] = [];
  const authenticated: string[] = [];
  const made = new InviteAuthorizer({
    config: {
      digests,
      user: {
        credentialsOf: (user) => USERS[user] ?? [],
        trunkOf: (ids, dialled) => (dialled.includes('200') ? (ids[1] ?? '') : (ids[0] ?? '')),
      },
    },
    digest: new DigestServer({ realm: REALM }),
    trunks,
    trunkLinks: { lineOf: () => line, registeredAs: () => registered, isRegisteredBy: () => false },
    webPhones: { of: () => web },
    phones: { isBy: (flow, user) => phones.includes(flow) && (user === undefined || user === '1001') },
    guard: {
      acceptPassword: (address) => address !== locked,
      trust: (address) => void authenticated.push(address),
      failedAuthentication: (address) => void failed.push(address),
    },
  });
  return { authorize: made.authorize.bind(made), failed, authenticated };
}

describe('who may register', () => {
  it('a phone that proves its password; of two accounts with that user the one whose password it is', () => {
    const { authorize, authenticated } = authorizer();
    for (const [password, id] of [
      ['one', 'acme/1'],
      ['seven', 'other/7'],
    ] as const) {
      const challenge = authorize(request('REGISTER', '1001'), STRANGER);
      const answer = answerTo(challenge, 'REGISTER', '1001', password);
      const verdict = authorize(request('REGISTER', '1001', answer), STRANGER);
      expect(verdict).toEqual({ kind: 'allow', caller: { peer: { kind: 'phone', id }, user: '1001' } });
    }
    expect(authenticated).toHaveLength(2);
  });

  it('a wrong password is refused and counted, on this machine too', () => {
    const { authorize, failed } = authorizer();
    for (const flow of [STRANGER, HERE]) {
      const challenge = authorize(request('REGISTER', '1001'), flow);
      const verdict = authorize(
        request('REGISTER', '1001', answerTo(challenge, 'REGISTER', '1001', 'guess')),
        flow,
      );
      expect(verdict).toMatchObject({ kind: 'refuse', reply: { status: 401 } });
    }
    expect(failed).toEqual([STRANGER.remote.address, HERE.remote.address]);
  });

  it('a user who has one password does not register as another', () => {
    const { authorize } = authorizer();
    const challenge = authorize(request('REGISTER', '1001'), STRANGER);
    const answer = answerTo(challenge, 'REGISTER', '1001', 'one');
    expect(authorize(request('REGISTER', '1002', answer), STRANGER).kind).toBe('refuse');
  });

  it('a right answer in MD5 is asked for again in SHA-256 where the endpoint requires that, and counts as no failure', () => {
    const { authorize, failed } = authorizer();
    const register = (challenge: Verdict, password: string): Verdict =>
      authorize(request('REGISTER', '1002', answerTo(challenge, 'REGISTER', '1002', password)), STRANGER);
    const second = register(authorize(request('REGISTER', '1002'), STRANGER), 'two');
    expect(JSON.stringify(second)).toMatch(/algorithm=SHA-256.*stale=true/);
    expect(JSON.stringify(second)).not.toContain('MD5');
    expect(register(second, 'two')).toMatchObject({ caller: { peer: { id: 'acme/2' } } });
    expect(failed).toEqual([]);
  });

  it('of two accounts with one user each keeps its own rule', () => {
    const { authorize, failed } = authorizer({ digests: ['SHA-256', 'MD5'] });
    const register = (password: string, algorithm: string): Verdict => {
      const challenge = authorize(request('REGISTER', '1003'), STRANGER);
      const answer = answerTo(challenge, 'REGISTER', '1003', password, algorithm);
      return authorize(request('REGISTER', '1003', answer), STRANGER);
    };
    expect(register('three', 'MD5')).toMatchObject({ caller: { peer: { id: 'acme/3' } } });
    expect(register('three', 'SHA-256')).toMatchObject({ caller: { peer: { id: 'acme/3' } } });
    expect(register('third', 'SHA-256')).toMatchObject({ caller: { peer: { id: 'other/3' } } });
    expect(failed).toEqual([]);
    expect(register('third', 'MD5').kind).toBe('refuse');
  });

  it('MD5 is never enough where only SHA-256 is offered', () => {
    const { authorize } = authorizer({ digests: ['SHA-256'] });
    const challenge = authorize(request('REGISTER', '1001'), STRANGER);
    expect(JSON.stringify(challenge)).not.toContain('MD5');
    const md5 = JSON.parse(JSON.stringify(challenge).replace('SHA-256', 'MD5')) as Verdict;
    const answer = answerTo(md5, 'REGISTER', '1001', 'one');
    expect(authorize(request('REGISTER', '1001', answer), STRANGER).kind).toBe('refuse');
  });

  it.each([[['MD5']], [['SHA-256', 'MD5']], [['SHA-256']]] as const)(
    'known and unknown users, SHA-256 required or not, right user or wrong password, are challenged alike: %s (threats T4, T42)',
    (digests) => {
      const { authorize } = authorizer({ digests: [...digests] });
      const shape = (verdict: Verdict): string =>
        JSON.stringify(verdict).replace(/nonce=\\"[0-9a-f]+\\"/g, 'nonce');
      const shapes = ['9999', '1001', '1002', '1003'].flatMap((user) => {
        const first = authorize(request('REGISTER', user), STRANGER);
        const wrong = answerTo(first, 'REGISTER', user, 'guess');
        return [shape(first), shape(authorize(request('REGISTER', user, wrong), STRANGER))];
      });
      expect(new Set(shapes).size).toBe(1);
    },
  );
});

describe('who may call', () => {
  it('trunks by their address, this machine without authentication, all others by password', () => {
    const { authorize } = authorizer();
    expect(authorize(request('INVITE', '555'), flowFrom('198.51.100.7'))).toMatchObject({
      caller: { peer: { kind: 'trunk', id: 'acme/t' } },
    });
    expect(authorize(request('INVITE', '555'), HERE)).toMatchObject({ caller: { peer: { kind: 'local' } } });
    const challenge = authorize(request('INVITE', '1001'), STRANGER);
    expect(challenge).toMatchObject({ kind: 'refuse', reply: { status: 401 } });
    const answer = answerTo(challenge, 'INVITE', '1001', 'one');
    expect(authorize(request('INVITE', '1001', answer), STRANGER)).toMatchObject({
      caller: { peer: { kind: 'phone', id: 'acme/1' } },
    });
  });

  it('of two trunks with one address the one is taken that the number belongs to', () => {
    const { authorize } = authorizer({ both: true });
    expect(authorize(request('INVITE', '100'), flowFrom('198.51.100.7'))).toMatchObject({
      caller: { peer: { id: 'acme/t' } },
    });
    expect(authorize(request('INVITE', '200'), flowFrom('198.51.100.7'))).toMatchObject({
      caller: { peer: { id: 'acme/u' } },
    });
  });

  it('a phone registered on this machine is asked who it is', () => {
    const { authorize } = authorizer({ phones: [HERE] });
    expect(authorize(request('INVITE', '1001'), HERE).kind).toBe('refuse');
  });

  it('a phone registered from within the network of a trunk is a phone, not the trunk', () => {
    const phone = flowFrom('198.51.100.7');
    const { authorize } = authorizer({ phones: [phone] });
    const challenge = authorize(request('INVITE', '1001'), phone);
    const answer = answerTo(challenge, 'INVITE', '1001', 'one');
    expect(authorize(request('INVITE', '1001', answer), phone)).toMatchObject({
      caller: { peer: { id: 'acme/1' } },
    });
  });

  it('a PBX that is a phone and a trunk at one port calls as the one whose name it says', () => {
    const pbx = flowFrom('198.51.100.7');
    const { authorize } = authorizer({ phones: [pbx] });
    expect(authorize(request('INVITE', '1001'), pbx).kind).toBe('refuse');
    const trunk = { kind: 'allow', caller: { peer: { kind: 'trunk', id: 'acme/t' }, user: '' } };
    expect(authorize(request('INVITE', '+4930123456'), pbx)).toEqual(trunk);
    // A user name that is registered elsewhere proves nothing either way: the address is the trunk's.
    expect(authorize(request('INVITE', '1002'), pbx)).toEqual(trunk);
  });

  it('a registration stands for its trunk: its line from anywhere, its name or connection where no trunk has the address (T52)', () => {
    const from = (address: string, found: { line?: string; registered?: string }) => {
      const verdict = authorizer(found).authorize(request('INVITE', '100'), flowFrom(address));
      const peer = verdict.kind === 'allow' ? verdict.caller?.peer : undefined;
      return peer?.kind === 'trunk' ? peer.id : verdict.kind;
    };
    expect(from('203.0.113.9', { line: 'mine/t' })).toBe('mine/t');
    expect(from('203.0.113.9', { registered: 'mine/t' })).toBe('mine/t');
    expect(from('198.51.100.7', { registered: 'mine/t' })).toBe('acme/t');
    expect(from('203.0.113.9', {})).toBe('refuse');
  });

  it('where passwords are not looked at, a trunk still calls, and a phone gets no response (T38)', () => {
    const { authorize, failed } = authorizer({ locked: '198.51.100.7' });
    const trunk = flowFrom('198.51.100.7');
    expect(authorize(request('INVITE', '555'), trunk)).toMatchObject({ caller: { peer: { kind: 'trunk' } } });
    const answer = answerTo(authorize(request('INVITE', '1001'), STRANGER), 'INVITE', '1001', 'one');
    expect(authorize(request('INVITE', '1001', answer), trunk)).toEqual({ kind: 'drop' });
    expect(authorize(request('REGISTER', '1001'), trunk)).toEqual({ kind: 'drop' });
    expect(failed).toEqual([]);
  });

  it('the answer to one challenge serves once', () => {
    const { authorize } = authorizer();
    const answer = answerTo(authorize(request('INVITE', '1001'), STRANGER), 'INVITE', '1001', 'one');
    expect(authorize(request('INVITE', '1001', answer), STRANGER).kind).toBe('allow');
    expect(authorize(request('INVITE', '1001', answer), STRANGER).kind).toBe('refuse');
  });
});

describe('everything else', () => {
  it('unknown sources get no response to OPTIONS, and one refusal for the rest (threat T13)', () => {
    const { authorize } = authorizer();
    expect(authorize(request('OPTIONS', '100'), STRANGER)).toEqual({ kind: 'drop' });
    for (const method of ['MESSAGE', 'NOTIFY', 'PUBLISH', 'REFER', 'INFO', 'FOO']) {
      expect(authorize(request(method, '100'), STRANGER)).toMatchObject({
        kind: 'refuse',
        reply: { status: 405 },
      });
    }
  });

  it('SUBSCRIBE must authenticate, on this machine and from a trunk, too', () => {
    const { authorize } = authorizer();
    for (const flow of [STRANGER, HERE, flowFrom('198.51.100.7')])
      expect(authorize(request('SUBSCRIBE', '1001'), flow)).toMatchObject({
        kind: 'refuse',
        reply: { status: 401 },
      });
  });

  it('those we know are answered, and within a dialog the tags decide', () => {
    const { authorize } = authorizer();
    expect(authorize(request('OPTIONS', '100'), HERE).kind).toBe('allow');
    expect(authorize(request('OPTIONS', '100'), flowFrom('198.51.100.7')).kind).toBe('allow');
    expect(authorize(request('BYE', '100', '', ';tag=ours'), STRANGER).kind).toBe('allow');
  });
});

describe('a phone in a web page', () => {
  const guest: WebPhone = {
    id: 's',
    user: 'web-1',
    md5: hash('md5', `web-1:${REALM}:secret`),
    sha256: hash('sha256', `web-1:${REALM}:secret`),
    peer: {
      kind: 'guest',
      id: 'acme/s',
      to: '100',
      dial: '100',
      name: '',
      network: '203.0.113.9',
      visitor: { button: 'acme.sales', page: '' },
    },
    caller: 'web',
  };

  it('frees its address of no limit: a visitor guesses passwords by UDP no longer than a stranger (T3)', () => {
    const { authorize, authenticated, failed } = authorizer({ web: guest });
    const ws: TransportFlow = { ...STRANGER, protocol: 'ws', connection: 7 };
    const invite = (password: string): Verdict => {
      const answer = answerTo(authorize(request('INVITE', 'web-1'), ws), 'INVITE', 'web-1', password);
      return authorize(request('INVITE', 'web-1', answer), ws);
    };
    expect(invite('secret')).toEqual({ kind: 'allow', caller: { peer: guest.peer, user: 'web' } });
    expect(authenticated).toEqual([]);
    expect(invite('wrong')).toMatchObject({ kind: 'refuse', reply: { status: 401 } });
    expect(failed).toEqual([STRANGER.remote.address]);
  });
});

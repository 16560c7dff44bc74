import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathEnvironment, programEnvironment, readConfig, wantsColour } from './config.ts';
import { withoutPassword } from './forms.ts';
import { VARIABLES } from './variables.ts';

const faultsOf = (environment: Record<string, string>): string[] => {
  const config = readConfig(environment);
  return 'faults' in config ? config.faults : [];
};

describe('configuration', () => {
  it('without any variable everything has its default, and nothing listens beyond this machine', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: undefined,
      accessToken: undefined,
      demo: true,
      logLevel: 'info',
      drainSeconds: 30,
      rateLimit: 1000,
      rateLimitLoopback: true,
      sip: true,
      sipHost: '127.0.0.1',
      sipPort: 5060,
      sipTlsPort: undefined,
      rtpPorts: { from: 20_000, to: 29_999 },
      advertisedAddress: undefined,
      mediaWorkers: 0,
      mediaSockets: 'auto',
      mediaPriority: 'normal',
      maxCalls: 5000,
      maxCallsPerSecond: 2000,
      rtpTimeoutSeconds: 30,
      secretKey: undefined,
      outboundAllow: [],
      sipAddressHosts: { names: [], networks: [] },
      smtpUrl: undefined,
      mailFrom: 'dialtree@localhost',
    });
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DRAIN_SECONDS', '1.5'],
    ['DEMO', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', 'a b'],
    ['RATE_LIMIT_LOOPBACK', '1'],
    ['TRUSTED_PROXIES', '127.0.0.1,proxy.example'],
    ['SIP_EDGES', '10.0.0.5,edge.example'],
    ['SIP_OUTBOUND_EDGE', '10.0.0.5:5060'],
    ['SIP_ADDRESS_HOSTS', 'pbx.example.com,10.0.0.0/40'],
    ['TTS_URL', 'speech.example.com'],
    ['MAX_CONNECTIONS', '0'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['NODE_ID', 'Node_1'],
    ['NODE_URL', '10.0.0.5:8080'],
    ['CLUSTER', 'on'],
    ['CLUSTER', 'yes'],
    ['SIP', 'yes'],
    ['SIP_HOST', 'a b'],
    ['SIP_PORT', '65536'],
    ['RTP_PORTS', '20000'],
    ['RTP_PORTS', '20000-20002'],
    ['RTP_PORTS', '29999-20000'],
    ['RTP_PORTS', '60000-70000'],
    ['ADVERTISED_ADDRESS', 'example.com'],
    ['ADVERTISED_ADDRESS', '10.0.0.256'],
    ['MEDIA_WORKERS', '65'],
    ['MEDIA_SOCKETS', 'raw'],
    ['MEDIA_PRIORITY', 'urgent'],
    ['MAX_CALLS', '0'],
    ['OUTBOUND_ALLOW', '10.0.0.0/33'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'Dialtree <a@b.example>'],
    ['MAIL_FROM', 'a@b.example, c@d.example'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8,localhost'],
    ['MAX_CALLS_PER_SECOND', '-1'],
    ['RTP_TIMEOUT_SECONDS', '4'],
  ])('%s=%s is refused by name, with the value and what is allowed', (name, value) => {
    const [fault = '', ...others] = faultsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name} is ".*", but must be .+\\.$`));
    expect(fault).toContain(value);
  });

  it('all faults are told at once', () => {
    expect(faultsOf({ PORT: 'x', DEMO: 'x', LOG_LEVEL: 'x' })).toHaveLength(3);
  });

  it('a token that is too short is refused without showing it', () => {
    const [fault = ''] = faultsOf({ ACCESS_TOKEN: 'short-secret' });
    expect(fault).toContain('ACCESS_TOKEN');
    expect(fault).not.toContain('short-secret');
  });

  it('TLS needs its certificate and its key, each refused by name', () => {
    expect(faultsOf({ SIP_TLS_PORT: '5061' })).toEqual([
      'SIP_TLS_CERT is empty, but must be the path of a PEM file, since SIP_TLS_PORT is set.',
      'SIP_TLS_KEY is empty, but must be the path of a PEM file, since SIP_TLS_PORT is set.',
    ]);
    const files = { SIP_TLS_CERT: 'chain.pem', SIP_TLS_KEY: 'key.pem' };
    expect(faultsOf({ SIP_TLS_PORT: 'x', ...files })).toEqual([
      expect.stringMatching(/^SIP_TLS_PORT is "x"/),
    ]);
    expect(readConfig({ SIP_TLS_PORT: '5061', ...files })).toMatchObject({
      sipTlsPort: 5061,
      sipTlsCert: expect.stringMatching(/chain\.pem$/),
      sipTlsKey: expect.stringMatching(/key\.pem$/),
    });
  });

  it('telephony is configured as it is said', () => {
    const given = { RTP_PORTS: '4000-4003', ADVERTISED_ADDRESS: '2001:db8::1', SIP: 'off', SIP_PORT: '0' };
    expect(readConfig(given)).toMatchObject({
      rtpPorts: { from: 4000, to: 4003 },
      advertisedAddress: '2001:db8::1',
      sip: false,
      sipPort: 0,
    });
  });

  it('a secret key is 32 bytes in hex or base64, and a wrong one is refused without showing it', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(readConfig({ SECRET_KEY: key.toString(form) })).toMatchObject({
        secretKey: new Uint8Array(key),
      });
    for (const wrong of [
      '0123456789abcdef',
      key.toString('hex').slice(1),
      `${key.toString('hex')}0`,
      `${'x'.repeat(43)}!`,
    ]) {
      const [fault = ''] = faultsOf({ SECRET_KEY: wrong });
      expect(fault).toMatch(/^SECRET_KEY is \d+ characters long, but must be 32 bytes/);
      expect(fault).not.toContain(wrong);
    }
  });

  it("a database's password is never shown", () => {
    expect(withoutPassword('postgres://me:hidden@db:5432/x')).toBe('postgres://me:***@db:5432/x');
    expect(faultsOf({ DATABASE_URL: 'mysql://me:hidden@db/x' })[0]).not.toContain('hidden');
    expect(faultsOf({ DATABASE_URL: 'me:hidden@db/x' })[0]).not.toContain('hidden');
  });

  it('the table in docs/configuration.md lists every variable with its default', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (?:`([^`]*)`)? ?\| (.+) \|$/gm)].map(
      ([, name, fallback = '', meaning]) => ({ name, fallback, meaning }),
    );
    expect(rows).toEqual(
      Object.entries(VARIABLES).map(([name, [fallback, meaning]]) => ({
        name,
        fallback,
        meaning: meaning.replaceAll('|', '\\|'),
      })),
    );
  });
});

describe('a program that we start', () => {
  it('gets the paths and the language, and none of our variables', () => {
    const harmless = {
      PATH: '/bin',
      Path: 'C:\\',
      HOME: '/root',
      LC_ALL: 'C',
      TMPDIR: '/tmp',
      SystemRoot: 'C:',
    };
    const ours = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'secret']));
    const others = {
      PGPASSWORD: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      MY_PATH: 'secret',
      LD_PRELOAD: 'x',
    };
    expect(programEnvironment({ ...ours, ...others, ...harmless })).toEqual(harmless);
  });
});

describe('SOUND_COMMAND', () => {
  const read = (SOUND_COMMAND: string) => {
    const config = readConfig({ SOUND_COMMAND });
    return 'faults' in config ? config.faults : config.soundCommand;
  };

  it('is a program and its arguments: words with spaces between them, or a JSON list', () => {
    expect(read('')).toBeUndefined();
    expect(read(' ffmpeg  -i {input} pipe:1 ')).toEqual({
      program: 'ffmpeg',
      args: ['-i', '{input}', 'pipe:1'],
    });
    expect(read('["/opt/my tools/ffmpeg","-i","it\'s {input}"]')).toEqual({
      program: '/opt/my tools/ffmpeg',
      args: ['-i', "it's {input}"],
    });
  });

  it.each(['ffmpeg -i "{input}"', "sh -c 'cat'", 'cat `x`', '[]', '[""]', '["a",1]', '["a"', '["a\\u0000"]'])(
    '%s is refused: no shell reads it',
    (given) => {
      expect(read(given)).toEqual([expect.stringMatching(/^SOUND_COMMAND is .* without quotes/)]);
    },
  );

  it('runs with the paths of programs alone', () => {
    const harmless = { PATH: '/bin', SystemRoot: 'C:' };
    expect(pathEnvironment({ ...harmless, HOME: '/root', LANG: 'C', SECRET_KEY: 'x' })).toEqual(harmless);
  });
});

describe('colour', () => {
  it('is for terminals that show it, unless NO_COLOR asks for none', () => {
    expect(wantsColour(true, { TERM: 'xterm' })).toBe(true);
    expect(wantsColour(false, { TERM: 'xterm' })).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '' })).toBe(true);
    expect(wantsColour(true, { TERM: 'dumb' })).toBe(false);
  });
});

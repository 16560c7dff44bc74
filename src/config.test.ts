import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig, VARIABLES, wantsColour, withoutPassword } from './config.ts';

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
    ['MAX_CONNECTIONS', '0'],
    ['DATABASE_URL', 'mysql://localhost/x'],
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

  it("a database's password is never shown", () => {
    expect(withoutPassword('postgres://me:hidden@db:5432/x')).toBe('postgres://me:***@db:5432/x');
    expect(faultsOf({ DATABASE_URL: 'mysql://me:hidden@db/x' })[0]).not.toContain('hidden');
    expect(faultsOf({ DATABASE_URL: 'me:hidden@db/x' })[0]).not.toContain('hidden');
  });

  it('the table in README.md lists every variable with its default', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\| (.+) \|$/gm)].map(
      ([, name, fallback = '', meaning]) => ({ name, fallback, meaning }),
    );
    expect(rows).toEqual(
      VARIABLES.map(({ name, fallback, meaning }) => ({
        name,
        fallback,
        meaning: meaning.replaceAll('|', '\\|'),
      })),
    );
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

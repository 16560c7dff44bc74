import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TRUNK_PRESETS } from './trunk-presets.ts';

it('presets have words of their own, a page of the provider, and a reason for each setting', () => {
  expect(new Set(TRUNK_PRESETS.map(({ id }) => id)).size).toBe(TRUNK_PRESETS.length);
  for (const { id, source, settings, explained, unverified } of TRUNK_PRESETS) {
    expect(id).toMatch(/^[a-z]+$/);
    expect(new URL(source).protocol).toBe('https:');
    const unexplained = Object.keys(settings).filter((name) => !Object.hasOwn(explained, name));
    expect([id, unexplained]).toEqual([id, []]);
    expect(unverified.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    for (const why of Object.values(explained)) expect(why).toMatch(/^[A-Z0-9].*\.$/);
  }
});

it('no preset lets calls out or names addresses: both are the customer’s decision (T1, T38)', () => {
  for (const { settings } of TRUNK_PRESETS)
    for (const name of ['outbound_prefixes', 'agents_may_call', 'addresses', 'password'])
      expect(Object.hasOwn(settings, name)).toBe(false);
});

it('the guide lists every preset, with what its page was not found to say', () => {
  const guide = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');
  const rows = TRUNK_PRESETS.map(({ id, name, settings, unverified }) => {
    const listed = (names: readonly string[]): string => names.map((each) => `\`${each}\``).join(', ') || '—';
    return `| ${name} (\`${id}\`) | ${listed(Object.keys(settings))} | ${listed(unverified)} |`;
  });
  for (const row of rows) expect(guide).toContain(row);
});

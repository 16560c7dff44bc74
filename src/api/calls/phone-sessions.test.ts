import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { type CallButton, PHONE_SESSION_MS, type PhoneSession } from '../../domain/phone-session.ts';
import type { Access } from '../http/auth.ts';
import { type EndedSession, MAX_KNOWN_SESSIONS, PAGE_RETURNS_MS, PhoneSessions } from './phone-sessions.ts';

const GUEST = { kind: 'guest', to: '100', dial: '100', name: '', page: '' } as const;
const BY = { kind: 'token', id: 'token' } as const;
const sealer = { seal: (text: string) => text, open: (text: string) => text };
const access = { byId: () => ({ account: { id: 'acme' }, user: null }) } as unknown as Access;

/** A node, and what it tells the others. */
function node() {
  const shared: EndedSession[] = [];
  const closed: string[] = [];
  const sessions = new PhoneSessions(sealer, access, (ended) => void shared.push(ended));
  sessions.onEnd = (id) => void closed.push(id);
  return { sessions, shared, closed };
}

const make = (sessions: PhoneSessions, nowMs = 0): { session: PhoneSession; sealed: string } =>
  sessions.make('acme', BY, GUEST, nowMs);

test('a session that is ended at one node is closed at the others, and opens at none', () => {
  const [here, there] = [node(), node()];
  const { session, sealed } = make(here.sessions);
  expect(there.sessions.open(sealed, 1)?.id).toBe(session.id);
  there.sessions.connected(session, 1);
  expect(there.sessions.holdsNow(session, 1)).toBe(true);
  expect(here.sessions.end('acme', session.id, 1)).toBe(true);
  expect(here.shared).toHaveLength(1);
  for (const ended of here.shared) there.sessions.heardEnd(ended, 2);
  expect([here.closed, there.closed]).toEqual([[session.id], [session.id]]);
  expect(there.shared).toEqual([]);
  for (const { sessions } of [here, there]) {
    expect(sessions.open(sealed, PHONE_SESSION_MS - 1)).toBeNull();
    expect(sessions.holdsNow(session, 3)).toBe(false);
    expect(sessions.listOf('acme', 3)).toEqual([]);
  }
});

test('a node that never had the session does not open it either', () => {
  const [here, there] = [node(), node()];
  const { session, sealed } = make(here.sessions);
  here.sessions.end('acme', session.id, 1);
  for (const ended of here.shared) there.sessions.heardEnd(ended, 2);
  expect(there.sessions.open(sealed, 3)).toBeNull();
});

test('an ended session stays ended, however many are made after it', () => {
  const { sessions } = node();
  const { session, sealed } = make(sessions);
  sessions.end('acme', session.id, 1);
  for (let at = 0; at < MAX_KNOWN_SESSIONS + 10; at++) make(sessions, 2);
  expect(sessions.open(sealed, 3)).toBeNull();
});

test('one whose page left at that moment does not come back after the end is forgotten', () => {
  const { sessions } = node();
  const { session, sealed } = make(sessions);
  const lateMs = 10 * PHONE_SESSION_MS;
  sessions.connected(session, 1);
  sessions.end('acme', session.id, lateMs);
  const other = make(sessions, lateMs + PAGE_RETURNS_MS - 1);
  sessions.end('acme', other.session.id, lateMs + PAGE_RETURNS_MS - 1);
  expect(sessions.open(sealed, lateMs + PAGE_RETURNS_MS - 1)).toBeNull();
});

test('a session by a button holds while the button leads there, from that page', () => {
  const [origin, other] = ['https://www.example.com', 'https://shop.example.com'];
  const button: CallButton = { key: 'website-sales', name: '', to: '100', origins: [origin] };
  let buttons: readonly CallButton[] = [];
  const accountNow = () => ({ id: 'acme', settings: { ...DEFAULT_SETTINGS, call_buttons: buttons } });
  const sessions = new PhoneSessions(sealer, { accountNow } as unknown as Access);
  const made = [origin, null].map((from) =>
    sessions.make('acme', { kind: 'button', key: button.key, origin: from }, GUEST, 0),
  );
  const hold = (...changed: CallButton[]): boolean[] => {
    buttons = changed;
    return made.map(({ session }) => sessions.holdsNow(session, 1));
  };
  expect(hold(button)).toEqual([true, true]);
  expect(hold({ ...button, name: 'Sales', origins: [other, origin] })).toEqual([true, true]);
  // A page of our own needs no origin of the button's.
  expect(hold({ ...button, origins: [other] })).toEqual([false, true]);
  expect(hold({ ...button, to: '200' })).toEqual([false, false]);
  expect(hold({ ...button, key: 'another-key' })).toEqual([false, false]);
  expect(hold()).toEqual([false, false]);
});

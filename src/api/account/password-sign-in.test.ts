// Threat T56: neither the answer nor the work shows whether an e-mail address is a user's.
import { describe, expect, it } from 'vitest';
import { NO_CREDENTIALS, type User } from '../../domain/user.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { byPassword } from './password-sign-in.ts';
import { SignIns } from './sign-ins.ts';

const user = (email: string, more: Partial<User> = {}) => ({
  account: {},
  user: { id: email, accountId: 'a', email, disabled: false, credentials: NO_CREDENTIALS, ...more },
});

describe('a sign-in by password', () => {
  const known = [
    user('known@example.com', { credentials: { ...NO_CREDENTIALS, password: 'right' } }),
    user('invited@example.com'),
    user('disabled@example.com', {
      disabled: true,
      credentials: { ...NO_CREDENTIALS, password: 'right' },
    }),
    user('app@example.com', { credentials: { ...NO_CREDENTIALS, password: 'right', totp: 'sealed' } }),
  ];

  it.each([
    'known@example.com',
    'invited@example.com',
    'disabled@example.com',
    'app@example.com',
    'nobody@example.com',
    'no address',
  ])('of %s with a wrong password derives one key and gets the same answer', async (email) => {
    let derived = 0;
    const entries: object[] = [];
    const context = {
      storage: { addAudit: async (entry: object) => void entries.push(entry) },
      signIns: new SignIns({ rateLimit: 0, rateLimitLoopback: false }),
      access: { users: async (fits: (one: unknown) => boolean) => known.filter((one) => fits(one.user)) },
      passwords: {
        verify: async (given: string, stored: string | null) => {
          derived++;
          return given === stored;
        },
      },
    } as unknown as ApiContext;
    const request = { address: '203.0.113.7', nowMs: 0 } as ApiRequest;
    const answer = await byPassword(
      { email, password: 'wrong', code: null, account: null },
      request,
      context,
    );
    expect(isProblem(answer) && answer).toMatchObject({
      problem: 'sign_in_refused',
      message:
        'The e-mail address or the password is wrong. If users of several accounts have this address, name the account, too.',
    });
    expect(derived).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    const isUser = known.some(({ user: one }) => one.email === email && !one.disabled);
    expect(entries).toEqual(
      isUser ? [expect.objectContaining({ action: 'sign_in_failed', recordId: email, accountId: 'a' })] : [],
    );
  });
});

// Threats T55 and T59: an authenticator app's codes guessed by somebody who knows the password, used again at another door, and an app
// that is replaced by somebody who found a browser unlocked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WRONG_CODES } from '../../src/api/account/sign-ins.ts';
import { codeAt, stepAt } from '../../src/api/account/totp.ts';
import { type Reply, type Service, startService } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { invited, makeOwner, PASSWORD } from './support/people.ts';

const account = 'default';
/** The code of the present step, or of the one after it, which is accepted, too. */
const codeOf = (secret: string, ahead = 0): string => codeAt(secret, stepAt(Date.now()) + ahead);

let service: Service;
let owner: Browser;
beforeAll(async () => {
  service = await startService();
  owner = await makeOwner(service);
});
afterAll(() => service?.remove());

interface Person {
  readonly browser: Browser;
  readonly secret: string;
  readonly recovery: readonly string[];
  /** What turned the app on. */
  readonly state: string;
  readonly code: string;
}

const ask = (by: Browser, path: string, body?: object): Promise<Reply> =>
  by.ask('POST', path, { account, ...(body ? { body } : {}) });
const signIn = (email: string, code: string): Promise<Reply> =>
  new Browser(() => service.url).ask('POST', '/v1/session', { body: { email, password: PASSWORD, code } });

/** A user whose authenticator app is on. */
async function withApp(email: string): Promise<Person> {
  const browser = await invited(service, owner, 'editor', { email });
  const { secret, state } = (await ask(browser, '/v1/me/totp')).json;
  const code = codeOf(secret);
  const confirmed = await ask(browser, '/v1/me/totp/confirm', { code, state });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { browser, secret, recovery: confirmed.json.recovery_codes, state, code };
}

/** A code that is right at no step near now. */
function wrongCodes(secret: string, count: number): string[] {
  const right = Array.from({ length: 41 }, (_, at) => codeOf(secret, at - 20));
  return Array.from({ length: count + right.length }, (_, at) => String(at).padStart(6, '0'))
    .filter((code) => !right.includes(code))
    .slice(0, count);
}

describe('codes that are guessed', () => {
  it('are ten for a user, at all doors together and however many at once; then the right one is refused, too', async () => {
    const { browser, secret, recovery } = await withApp('guessed@example.com');
    const doors = [
      (code: string) => signIn('guessed@example.com', code),
      (code: string) => ask(browser, '/v1/me/totp/off', { code }),
    ];
    const guesses = wrongCodes(secret, 4 * WRONG_CODES);
    const replies = await Promise.all(guesses.map((code, at) => doors[at % doors.length]?.(code)));
    const checked = replies.filter((reply) => reply && reply.status !== 429);
    expect(checked).toHaveLength(WRONG_CODES);
    for (const door of doors) {
      expectFailure((await door(codeOf(secret, 1))) ?? expect.fail(), 'rate_limited');
      expectFailure((await door(recovery[0] ?? '')) ?? expect.fail(), 'rate_limited');
    }
    // Another user is not kept out.
    const other = await withApp('not-guessed@example.com');
    expect((await signIn('not-guessed@example.com', codeOf(other.secret, 1))).status).toBe(201);
  });

  it('are no easier in other forms: several in one, other digits, other types', async () => {
    const { secret } = await withApp('forms@example.com');
    const right = codeOf(secret, 1);
    const fullWidth = [...right].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');
    const body = { email: 'forms@example.com', password: PASSWORD };
    for (const code of [`000000 ${right}`, `${right}0`, right.slice(1), fullWidth, `${right}\0`])
      expect((await signIn(body.email, code)).status, JSON.stringify(code)).toBeGreaterThanOrEqual(400);
    for (const code of [Number(right), [right], { code: right }, true])
      expectFailure(
        await new Browser(() => service.url).ask('POST', '/v1/session', { body: { ...body, code } }),
        'fields_invalid',
      );
    expect((await signIn(body.email, right)).status).toBe(201);
  });
});

describe('a code that was used', () => {
  it('to turn the app on signs nobody in, and one that signed in does not turn it off', async () => {
    const { browser, secret, code } = await withApp('again@example.com');
    expectFailure(await signIn('again@example.com', code), 'sign_in_refused');
    const next = codeOf(secret, 1);
    expect((await signIn('again@example.com', next)).status).toBe(201);
    expectFailure(await ask(browser, '/v1/me/totp/off', { code: next }), 'fields_invalid');
    // One that is older than the last is over, although its time is not.
    expectFailure(await signIn('again@example.com', code), 'sign_in_refused');
  });

  it('to turn the app on makes no second set of recovery codes', async () => {
    const { browser, state, code, recovery } = await withApp('recovers@example.com');
    expectFailure(await ask(browser, '/v1/me/totp/confirm', { code, state }), 'key_taken');
    expect((await signIn('recovers@example.com', recovery[0] ?? '')).status).toBe(201);
  });
});

it('an app that is on is replaced by none that was begun before it', async () => {
  const browser = await invited(service, owner, 'editor', { email: 'replaced@example.com' });
  const evil = (await ask(browser, '/v1/me/totp')).json;
  const own = (await ask(browser, '/v1/me/totp')).json;
  const on = await ask(browser, '/v1/me/totp/confirm', { code: codeOf(own.secret), state: own.state });
  expect(on.status).toBe(200);
  const replace = { code: codeOf(evil.secret), state: evil.state };
  expectFailure(await ask(browser, '/v1/me/totp/confirm', replace), 'key_taken');
  expect((await signIn('replaced@example.com', codeOf(own.secret, 1))).status).toBe(201);
});

import { expect } from 'vitest';
import { type CallOptions, call, type Reply } from '../../support/service.ts';

/** A browser: it keeps the cookie, and its pages say which account they are for. */
export class Browser {
  secrets: string[] = [];
  readonly #url: () => string;
  readonly #seen: string[];

  /** `seen` gets every secret that a cookie had. */
  constructor(url: () => string, seen: string[] = []) {
    this.#url = url;
    this.#seen = seen;
  }

  async ask(method: string, path: string, options: CallOptions & { account?: string } = {}): Promise<Reply> {
    const headers = {
      origin: this.#url(),
      'sec-fetch-site': 'same-origin',
      ...(this.secrets.length > 0
        ? { cookie: `theme=dark; dialtree_session=${this.secrets.join('.')}` }
        : {}),
      ...(options.account === undefined ? {} : { 'dialtree-account': options.account }),
      ...options.headers,
    };
    const reply = await call(this.#url(), method, path, { token: null, ...options, headers });
    const [, value] = /^dialtree_session=([^;]*);/.exec(reply.headers.get('set-cookie') ?? '') ?? [];
    if (value !== undefined) this.secrets = value === '' ? [] : value.split('.');
    this.#seen.push(...this.secrets);
    return reply;
  }

  signIn(token: string): Promise<Reply> {
    return this.ask('POST', '/v1/session', { body: { token } });
  }

  async accounts(): Promise<string[]> {
    const { json } = await this.ask('GET', '/v1/session');
    expect(json.accounts.map((one: { current: boolean }) => one.current)).toEqual(
      json.accounts.map((_: unknown, at: number) => at === 0),
    );
    return json.accounts.map((one: { name: string }) => one.name);
  }
}

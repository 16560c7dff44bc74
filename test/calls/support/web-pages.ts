// Phones in web pages for tests: sessions of them, and the test phone with one.
import { expect } from 'vitest';
import type { Phone } from '../../support/phone/phone.ts';
import { call as ask, type Json, type Reply } from '../../support/service.ts';
import type { PhoneBed } from './phone-bed.ts';

export class WebPages {
  readonly #bed: () => PhoneBed;

  constructor(bed: () => PhoneBed) {
    this.#bed = bed;
  }

  readonly socketUrl = (path: string): string => `${this.#bed().pbx.url.replace(/^http/, 'ws')}${path}`;

  readonly session = async (body: object): Promise<Json> => {
    const { status, json } = await this.#bed().api('POST', '/v1/phone_session', body);
    expect(status, JSON.stringify(json)).toBe(201);
    return json;
  };

  /** A page with that session. */
  readonly page = ({ username, password, path }: Json, origin?: string): Promise<Phone> => {
    const webSocket = { url: this.socketUrl(path), ...(origin ? { origin } : {}) };
    return this.#bed().phone({ user: username, password, transport: 'ws', webSocket });
  };

  readonly buttonSession = (key: string, origin: string | null, body: object = {}): Promise<Reply> =>
    ask(this.#bed().pbx.url, 'POST', `/v1/call_button/${key}/session`, {
      body,
      token: null,
      headers: origin === null ? {} : { origin },
    });
}

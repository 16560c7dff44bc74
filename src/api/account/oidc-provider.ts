// The OpenID Connect provider of the service, as it describes itself.
import type { Configuration, CustomFetchOptions } from 'openid-client';
import type { SafeFetch } from '../../safe-fetch/safe-fetch.ts';

/** Loaded when somebody signs in by it. */
export const openidClient = () => import('openid-client');

const FETCH = { maxBytes: 256 * 1024, timeoutMs: 10_000 };

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the sign-in page calls the provider. */
  readonly name: string;
}

export class OidcProvider {
  readonly settings: OidcSettings;
  readonly #safeFetch: SafeFetch;
  #found: Promise<Configuration> | null = null;

  constructor(settings: OidcSettings, safeFetch: SafeFetch) {
    this.settings = settings;
    this.#safeFetch = safeFetch;
  }

  /** Asked for once; again after a failure. */
  configuration(): Promise<Configuration> {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = null;
      throw error;
    });
    return this.#found;
  }

  async #discover(): Promise<Configuration> {
    const openid = await openidClient();
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    // Plain HTTP for a provider on this machine or in a private network: OUTBOUND_ALLOW has to name it anyway.
    const insecure = url.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    return openid.discovery(url, clientId, clientSecret, undefined, {
      [openid.customFetch]: (address, options) => this.#request(address, options),
      execute: insecure,
      timeout: FETCH.timeoutMs / 1000,
    });
  }

  /** By the rules for addresses that others chose (safe-fetch): what discovery names must not lead into our network. */
  async #request(url: string, options: CustomFetchOptions): Promise<Response> {
    const { method, headers, body } = options;
    const sent = body === undefined || body === null ? {} : { body: String(body) };
    const answer = await this.#safeFetch.fetchSafely(url, { method, headers, ...sent, ...FETCH });
    if (!answer.ok) throw new Error(answer.message);
    const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: fields,
    });
  }
}

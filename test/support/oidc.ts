// A real OpenID Connect provider, whose users are whoever the test says.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const SECRET = 'the secret of the client';

export interface TestProvider {
  readonly issuer: string;
  /** For the service. */
  readonly env: Record<string, string>;
  /** From now on it knows the service at this address. */
  serve(serviceUrl: string): void;
  close(): void;
}

/** `people`: by what is typed as login, what the provider says of the person. */
export async function startProvider(people: Readonly<Record<string, object>>): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'dialtree',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_NAME: 'Example Login',
      OUTBOUND_ALLOW: '127.0.0.1/32',
    },
    serve: (serviceUrl) => {
      const callback = new Provider(issuer, {
        clients: [
          {
            client_id: 'dialtree',
            client_secret: SECRET,
            redirect_uris: [`${serviceUrl}/v1/session/oidc/callback`],
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: [] },
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        cookies: { keys: ['test'] },
        features: { devInteractions: { enabled: true } },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...people[id] }),
        }),
      }).callback();
      server.on('request', callback);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

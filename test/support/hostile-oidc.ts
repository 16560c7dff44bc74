// An OpenID Connect provider that says whatever an attack wants: other issuers, other audiences, the same code as often as it is sent.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT = { id: 'dialtree', secret: 'the secret of the client' };

type Algorithm = 'RS256' | 'HS256' | 'none';

/** What the next ID token has instead of what is right. */
export interface Lie {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly algorithm?: Algorithm;
}

export interface HostileProvider {
  readonly issuer: string;
  readonly env: Record<string, string>;
  /** Members of its own description; read at each discovery. */
  description: Record<string, unknown>;
  /** The nonce of the sign-in that is under way. */
  nonce: string;
  lie: Lie;
  /** Codes that were sent to its token endpoint. */
  readonly codes: string[];
  close(): void;
}

export async function startHostileProvider(email: string): Promise<HostileProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = ({ claims = {}, algorithm = 'RS256' }: Lie): string => {
    const seconds = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: CLIENT.id, sub: 'vera', nonce: provider.nonce, iat: seconds };
    const person = { email, email_verified: true, exp: seconds + 300 };
    const text = `${part({ alg: algorithm, kid: 'k' })}.${part({ ...right, ...person, ...claims })}`;
    const signature = {
      RS256: () => sign('sha256', Buffer.from(text), privateKey).toString('base64url'),
      HS256: () => createHmac('sha256', CLIENT.secret).update(text).digest('base64url'),
      none: () => '',
    };
    return `${text}.${signature[algorithm]()}`;
  };
  const server = createServer((request, response) => {
    const send = (value: object): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(value));
    };
    let body = '';
    request.on('data', (bytes) => {
      body += String(bytes);
    });
    request.on('end', () => {
      if (request.url === '/.well-known/openid-configuration') return send(provider.description);
      if (request.url === '/jwks')
        return send({
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
        });
      provider.codes.push(new URLSearchParams(body).get('code') ?? '');
      send({ access_token: 'a', token_type: 'Bearer', id_token: tokenOf(provider.lie) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OUTBOUND_ALLOW: '127.0.0.1/32',
    },
    description: {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    },
    nonce: '',
    lie: {},
    codes: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return provider;
}

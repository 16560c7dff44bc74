// SIP over TLS (RFC 3261 §26.3.1, RFC 5922): how to listen and how to connect. What is said on a connection is in stream.ts.
import { isIP, type Server, type Socket } from 'node:net';
import { connect, createServer, rootCertificates, type TLSSocket } from 'node:tls';
import type { Address } from './transport.ts';

/** PEM text. */
export interface TlsOptions {
  /** Ours, with the chain; needed to listen. */
  readonly certificate?: string;
  readonly key?: string;
  /** A further trusted CA: the private CA of a trunk. */
  readonly authorities?: readonly string[];
}

const OLDEST = 'TLSv1.2';
const HANDSHAKE_MS = 10_000;

/** `taken` sees every connection before its handshake, `accepted` those that completed it. */
export function tlsServer(
  options: TlsOptions,
  taken: (socket: Socket) => void,
  accepted: (socket: TLSSocket) => void,
): Server {
  const { certificate, key } = options;
  if (certificate === undefined || key === undefined)
    throw new Error('a certificate and its key are missing');
  const server = createServer(
    { cert: certificate, key, minVersion: OLDEST, handshakeTimeout: HANDSHAKE_MS, noDelay: true },
    accepted,
  );
  server.on('connection', taken);
  // A failed handshake ends one connection; the server needs no telling.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

/** RFC 5922 §4: the certificate must be for the name that was looked up, or for the address if there was none. */
export function tlsConnect(remote: Address, serverName: string | undefined, options: TlsOptions): TLSSocket {
  const named = serverName !== undefined && isIP(serverName) === 0;
  return connect({
    host: serverName ?? remote.address,
    // The name above is for the certificate; the address has been resolved already.
    lookup: (_name, lookupOptions, found) => {
      const family = isIP(remote.address);
      if (lookupOptions.all) found(null, [{ address: remote.address, family }]);
      else found(null, remote.address, family);
    },
    port: remote.port,
    minVersion: OLDEST,
    ...(named ? { servername: serverName } : {}),
    ...(options.authorities === undefined ? {} : { ca: [...rootCertificates, ...options.authorities] }),
    // Mutual TLS: a trunk may ask for ours.
    ...(options.certificate === undefined || options.key === undefined
      ? {}
      : { cert: options.certificate, key: options.key }),
  });
}

// `sip.example.com`, `192.0.2.1:5080`, `[2001:db8::1]:5061`: a host and, if it is given, its port.

export interface HostPort {
  readonly host: string;
  /** 0: as DNS says (SRV), or the transport's own. */
  readonly port: number;
}

/** Null if it is neither. Whether the host is a name or an address is not checked. */
export function parseHostPort(text: string): HostPort | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? (/^[0-9A-Fa-f:.]+$/.test(text) ? text : '');
  const port = Number(digits ?? 0);
  return host === '' || host.length > 253 || port > 65_535 ? null : { host, port };
}

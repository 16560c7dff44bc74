// A phone in a web page: what the session that it was made for lets it do (docs/browser-phones.md). It comes with the connection,
// checked by the HTTP side; its digest is asked for on that connection alone.

export interface WebPhone {
  /** The session's id. */
  readonly id: string;
  /** The user name of its digest. */
  readonly user: string;
  /** H(user:realm:secret) in hex. */
  readonly md5: string;
  readonly sha256: string;
  /** Who it is once the digest was right: an agent's phone, or a guest. */
  readonly peer: { readonly kind: 'phone'; readonly id: string } | GuestPeer;
  /** The number of its calls. */
  readonly caller: string;
}

/** A visitor of a web page, whose session is for one destination. */
export interface GuestPeer {
  readonly kind: 'guest';
  /** That of the session. */
  readonly id: string;
  /** A reference to what it may call, or a number of the account. */
  readonly to: string;
  /** What it dials for that; anything else is refused. */
  readonly dial: string;
  readonly name: string;
  /** What one client has: an IPv4 address, or an IPv6 /64. */
  readonly network: string;
  readonly visitor: WebVisitor;
}

/** Where the visitor was. */
export interface WebVisitor {
  /** The public key of the call button; null: a call from the console. */
  readonly button: string | null;
  /** The address of the page; empty: not known. */
  readonly page: string;
}

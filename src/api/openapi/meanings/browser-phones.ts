// What the members of phone sessions and of servers for browser phones mean.
import type { Catalogue } from '../describe.ts';

const ICE_SERVERS = {
  ice_servers: 'STUN and TURN servers; empty: none are configured (`ICE_SERVERS`).',
  'ice_servers[].urls': 'Addresses, such as `turn:turn.example.org:3478?transport=udp`.',
  'ice_servers[].username': 'Of TURN: when it ends, in seconds since 1970, and the account. Missing: STUN.',
  'ice_servers[].credential': 'Of TURN: the password to the user name. Missing: STUN.',
};

export const BROWSER_PHONES: Catalogue = {
  PhoneSessionMade: {
    id: 'Names the session, to end it with.',
    username: 'The user name of SIP, in From and in the digest.',
    password: 'The secret of the digest. Shown once.',
    realm: 'What the digest is for: always `dialtree`.',
    path: 'Where the WebSocket is, on this host, with subprotocol `sip`.',
    dial: 'What to call. Null: an agent, who calls what the agent may.',
    may: 'What it may do: `register` and `call` as the agent, or `call_destination` alone.',
    ...ICE_SERVERS,
    expires_at: 'Until when the WebSocket must be opened.',
  },
  PhoneSession: {
    id: 'Names the session, to end it with.',
    agent: 'The eid of the agent. Null: a guest.',
    to: 'What the guest may call. Null: an agent.',
    button: 'The public key of the call button. Null: made by a token or a signed-in browser.',
    may: 'What it may do: `register` and `call` as the agent, or `call_destination` alone.',
    connections: 'WebSockets that are open with it.',
    created_at: 'When it was made.',
    expires_at: 'Until when a WebSocket may be opened with it.',
  },
  PhoneSessionInput: {
    agent: 'The eid of the agent whom the page is a phone of. Either this or `to`.',
    to: 'What the page may call: a number of the account, or a destination. Either this or `agent`.',
  },
  ButtonSessionInput: {
    name: 'What the visitor wants to be called: the caller name of the call.',
    page: 'The address of the page that the visitor is on. Query, fragment, user and password in it are not kept.',
  },
  IceServers: {
    ...ICE_SERVERS,
    expires_at: 'When TURN servers stop accepting the credentials.',
  },
};

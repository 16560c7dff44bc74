// What nodes say to each other, byte by byte: during a rolling upgrade the former version asks and is asked.
import { expect, it } from 'vitest';
import type { CallControl } from '../calls/control/call-control.ts';
import { AllNodes } from './all-nodes.ts';
import type { NodeClient } from './node-client.ts';
import { readQuestion, writeQuestion } from './node-question.ts';
import { NodeServer } from './node-server.ts';
import type { Peers } from './peers.ts';

const BY = { kind: 'operator', id: 't1', name: 'Ann' } as const;
const AGENT = {
  eid: '9',
  state: 'free',
  sinceMs: null,
  paused: null,
  signedOut: [],
  phones: { registered: 1, reachable: 1, goneAtMs: null },
} as const;
const PHONE = { contact: 'x', reachable: true, answers: true, userAgent: '', expiresAtMs: 0, address: '' };
const TRUNK = {
  registered: true,
  calls: 1,
  problem: null,
  registered_by: null,
  unused_addresses: [],
  reachable: null,
  hosts: [],
};

/** What is asked of all nodes; what one of them is sent, which its telephones are asked in turn; what it answers. */
const CASES: readonly {
  readonly ask: (all: CallControl) => Promise<unknown>;
  readonly wire: string;
  readonly answer: unknown;
  /** Where it is not the answer of that node. */
  readonly result?: unknown;
  readonly touches?: true;
}[] = [
  {
    ask: (all) => all.callsOf({ account: 'acme' }),
    wire: '{"op":"callsOf","account":"acme"}',
    answer: { calls: [{ id: '1' }], unanswered: [] },
    result: { calls: [{ id: '1', node_id: 'b' }], unanswered: [] },
  },
  {
    ask: (all) => all.hangUp({ account: 'acme', id: '1' }),
    wire: '{"op":"hangUp","account":"acme","id":"1"}',
    answer: true,
  },
  {
    ask: (all) => all.transfer({ account: 'acme', id: '1', party: 'called', to: 'ivr||main', by: BY }),
    wire: '{"op":"transfer","account":"acme","id":"1","party":"called","to":"ivr||main","by":{"kind":"operator","id":"t1","name":"Ann"}}',
    answer: 'transferred',
    touches: true,
  },
  {
    ask: (all) =>
      all.consult({
        account: 'acme',
        id: '1',
        order: { kind: 'begin', party: 'caller', to: 'ivr||main' },
        by: BY,
      }),
    wire: '{"op":"consult","account":"acme","id":"1","order":{"kind":"begin","party":"caller","to":"ivr||main"},"by":{"kind":"operator","id":"t1","name":"Ann"}}',
    answer: { id: '2' },
    touches: true,
  },
  {
    ask: (all) => all.listenIn({ account: 'acme', id: '1', eid: '9', mode: 'barge' }),
    wire: '{"op":"listenIn","account":"acme","id":"1","eid":"9","mode":"barge"}',
    answer: 'rings',
    touches: true,
  },
  {
    ask: (all) => all.addParty({ account: 'acme', id: '1', number: '+4930' }),
    wire: '{"op":"addParty","account":"acme","id":"1","number":"+4930"}',
    answer: 'number-not-allowed',
    touches: true,
  },
  {
    ask: (all) => all.queueOf({ account: 'acme', department: 'department||d', eids: ['9'] }),
    wire: '{"op":"queueOf","account":"acme","department":"department||d","eids":["9"]}',
    answer: { waiting: [], placeMs: null, states: ['free'] },
  },
  {
    ask: (all) => all.roomOf({ account: 'acme', id: 'r' }),
    wire: '{"op":"roomOf","account":"acme","id":"r"}',
    answer: { locked: true, recording: false, participants: [] },
  },
  {
    ask: (all) => all.changeRoom({ account: 'acme', id: 'r', do: 'lock', call: null }),
    wire: '{"op":"changeRoom","account":"acme","id":"r","do":"lock","call":null}',
    answer: 'done',
  },
  {
    ask: (all) => all.changeRoom({ account: 'acme', id: 'r', do: 'mute', call: '1' }),
    wire: '{"op":"changeRoom","account":"acme","id":"r","do":"mute","call":"1"}',
    answer: 'participant-unknown',
  },
  {
    ask: (all) => all.agentsOf({ account: 'acme', eids: null }),
    wire: '{"op":"agentsOf","account":"acme","eids":null}',
    answer: [AGENT],
  },
  {
    ask: (all) => all.agentsOf({ account: 'acme', eids: ['9'] }),
    wire: '{"op":"agentsOf","account":"acme","eids":["9"]}',
    answer: [AGENT],
  },
  {
    ask: (all) => all.endWrapUp({ account: 'acme', eid: '9' }),
    wire: '{"op":"endWrapUp","account":"acme","eid":"9"}',
    answer: null,
  },
  {
    ask: (all) => all.phonesOf({ account: 'acme', eid: '9' }),
    wire: '{"op":"phonesOf","account":"acme","eid":"9"}',
    answer: [PHONE],
  },
  {
    ask: (all) => all.trunkState({ account: 'acme', id: 't' }),
    wire: '{"op":"trunkState","account":"acme","id":"t"}',
    answer: TRUNK,
  },
  {
    ask: (all) => all.liveOf({ account: 'acme' }),
    wire: '{"op":"liveOf","account":"acme"}',
    answer: { calls: [{ id: '1' }], unanswered: [], agents: [AGENT], trunks: [] },
    result: { calls: [{ id: '1', node_id: 'b' }], unanswered: [], agents: [AGENT], trunks: [] },
  },
];

/** A node without telephones of its own, and one with; what is said between them, and to the second one's telephones. */
function between(answers: Readonly<Record<string, unknown>>) {
  const said: string[] = [];
  const heard: [string, ...unknown[]][] = [];
  const side = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        async (...args: unknown[]) => {
          heard.push([name, ...args]);
          return answers[name];
        },
    },
  ) as CallControl;
  const server = new NodeServer({
    own: () => side,
    soundPart: async () => null,
    machine: () => Promise.reject(new Error('not asked here')),
    isDraining: () => false,
  });
  const ask: NodeClient['ask'] = async (_peer, question) => {
    const wire = writeQuestion(question);
    said.push(wire);
    const read = readQuestion(JSON.parse(wire));
    if (!read) throw new Error(`not read: ${wire}`);
    return JSON.parse(JSON.stringify((await server.answer('a', read)) ?? null));
  };
  const peers = { live: [{ id: 'b', run: 'b', url: '' }], onChange: () => () => undefined };
  const others = { peers: peers as unknown as Peers, client: { ask } as unknown as NodeClient };
  return {
    all: new AllNodes({ own: () => null, id: 'a', others }).control,
    said,
    heard,
    close: () => server.close(),
  };
}

it.each(CASES)('$wire is said and understood', async ({ ask, wire, answer, touches, ...one }) => {
  const { op, ...asked } = JSON.parse(wire);
  const { all, close, ...both } = between({ [op]: answer });
  expect(await ask(all)).toEqual('result' in one ? one.result : answer);
  expect(both.said).toEqual([wire]);
  expect(both.heard).toEqual([...(touches ? [['touch']] : []), [op, asked]]);
  close();
});

it('a click to call asks first who reaches the phone', async () => {
  const { all, close, ...both } = between({ phonesOf: [PHONE], clickToCall: null });
  expect(await all.clickToCall({ account: 'acme', id: '1', eid: '9', number: '7' })).toBeNull();
  expect(both.said).toEqual([
    '{"op":"phonesOf","account":"acme","eid":"9"}',
    '{"op":"clickToCall","account":"acme","id":"1","eid":"9","number":"7"}',
  ]);
  expect(both.heard).toEqual([
    ['phonesOf', { account: 'acme', eid: '9' }],
    ['touch'],
    ['clickToCall', { account: 'acme', id: '1', eid: '9', number: '7' }],
  ]);
  close();
});

it('a call that is placed asks first who has telephones', async () => {
  const { all, close, ...both } = between({ phonesOf: [], placeCall: null });
  const asked = { account: 'acme', id: '1', number: '7', destination: 'ivr||main', variables: { a: 'b' } };
  expect(await all.placeCall(asked)).toBeNull();
  expect(both.said).toEqual([
    '{"op":"phonesOf","account":"acme","eid":""}',
    '{"op":"placeCall","account":"acme","id":"1","number":"7","destination":"ivr||main","variables":{"a":"b"}}',
  ]);
  expect(both.heard).toEqual([['phonesOf', { account: 'acme', eid: '' }], ['touch'], ['placeCall', asked]]);
  close();
});

const LONG = 'x'.repeat(257);
it.each([
  '{}',
  '{"op":1}',
  '{"op":"toString","account":"acme"}',
  '{"op":"changePresence","account":"acme","eid":"9","change":{"type":"resume"}}',
  '{"op":"setDrain","account":"acme"}',
  '{"op":"callsOf"}',
  `{"op":"callsOf","account":"${LONG}"}`,
  '{"op":"hangUp","account":"acme","id":1}',
  '{"op":"transfer","account":"acme","id":"1","party":"both","to":"ivr||main","by":{"id":"t","name":"t"}}',
  '{"op":"transfer","account":"acme","id":"1","party":"called","to":"ivr||main","by":{"id":"t"}}',
  '{"op":"consult","account":"acme","id":"1","order":{"kind":"begin"},"by":{"id":"t","name":"t"}}',
  '{"op":"listenIn","account":"acme","id":"1","eid":"9","mode":"shout"}',
  `{"op":"placeCall","account":"acme","id":"1","number":"7","destination":"ivr||main","variables":{"a":"${LONG}"}}`,
  '{"op":"changeRoom","account":"acme","id":"r","do":"lock"}',
  '{"op":"agentsOf","account":"acme"}',
  '{"op":"agentsOf","account":"acme","eids":[9]}',
  '{"op":"soundOf","account":"acme","id":"1","from":-1,"bytes":1}',
  '{"op":"next","session":"s","withinMs":"1"}',
])('%s is no question', (body) => {
  expect(readQuestion(JSON.parse(body))).toBeNull();
});

it.each([
  '{"op":"machine"}',
  '{"op":"soundOf","account":"acme","id":"1","from":0,"bytes":1}',
  '{"op":"follow","account":"acme","session":"s","after":null}',
  '{"op":"unfollow","session":"s","account":"acme"}',
  '{"op":"next","session":"s","withinMs":10}',
])('%s is a question', (body) => {
  expect(readQuestion(JSON.parse(body))).not.toBeNull();
});

it.each([
  [
    'what a later version says beside it',
    '{"op":"hangUp","account":"acme","id":"1","reason":"noise"}',
    { account: 'acme', id: '1' },
  ],
  [
    'a consultation that ends',
    '{"op":"consult","account":"acme","id":"1","order":{"kind":"cancel","to":"ivr||main"},"by":{"id":"t","name":"Ann","kind":"agent"}}',
    { account: 'acme', id: '1', order: { kind: 'cancel' }, by: { kind: 'operator', id: 't', name: 'Ann' } },
  ],
])('of %s only what the table names is read', (_, body, asked) => {
  expect(readQuestion(JSON.parse(body))).toHaveProperty('asked', asked);
});

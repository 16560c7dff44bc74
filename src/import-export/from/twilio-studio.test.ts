import { expect, test } from 'vitest';
import { workOf } from '../../../test/support/work.ts';
import { readExportFile } from '../read-export-file.ts';
import { ForeignFileError } from './foreign-account.ts';
import { fromTwilioStudio } from './twilio-studio.ts';

type Transition = readonly [event: string, next?: string, keys?: string];
const state = (name: string, type: string, properties: object, ...transitions: Transition[]) => ({
  name,
  type,
  properties: { offset: { x: 0, y: 0 }, ...properties },
  transitions: transitions.map(([event, next, keys]) => ({
    event,
    ...(next ? { next } : {}),
    ...(keys
      ? { conditions: [{ friendly_name: keys, arguments: ['{{x}}'], type: 'equal_to', value: keys }] }
      : {}),
  })),
});
const trigger = (next: string) =>
  state('Trigger', 'trigger', {}, ['incomingMessage'], ['incomingCall', next]);
const flow = (...states: object[]) => ({ description: 'Shop', initial_state: 'Trigger', flags: {}, states });
const shop = () =>
  flow(
    trigger('welcome'),
    state('welcome', 'say-play', { say: 'Hello' }, ['audioComplete', 'main_menu']),
    state(
      'main_menu',
      'gather-input-on-call',
      { say: 'Press 1', timeout: 7, number_of_digits: 1 },
      ['keypress', 'chosen'],
      ['speech'],
      ['timeout', 'main_menu'],
    ),
    state(
      'chosen',
      'split-based-on',
      { input: '{{widgets.main_menu.Digits}}' },
      ['noMatch', 'main_menu'],
      ['match', 'sales', '1'],
      ['match', 'ask', '2'],
      ['match', 'box', '3'],
    ),
    state(
      'sales',
      'connect-call-to',
      { noun: 'number', to: '+1 (415) 555-0100' },
      ['callCompleted'],
      ['hangup'],
    ),
    state('ask', 'make-http-request', { url: 'https://example.com' }, ['success', 'team'], ['failed', 'box']),
    state('team', 'send-to-flex', { workflow: 'WW1' }, ['callFailure', 'box']),
    state('box', 'record-voicemail', { max_length: 3600 }, ['recordingComplete']),
    state('lost', 'send-message', { body: 'x' }, ['sent']),
  );
const read = (json: unknown) => {
  const { file, left } = fromTwilioStudio(json);
  const reading = readExportFile(file);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return { file: reading.exportFile, left: left.map(({ place, reason }) => `${place}: ${reason}`) };
};

test('a gather and the split that reads it become one menu, and other widgets the records that do the same', () => {
  const { file } = read(shop());
  expect(file.announcement).toMatchObject([
    { name: 'welcome', recording: 'recording||studio-welcome', destination: 'ivr||main_menu' },
  ]);
  expect(file.ivr).toMatchObject([
    {
      name: 'main_menu',
      timeout: 7,
      option: ['1', '2', '3'],
      destination: ['number||+14155550100', 'request||ask', 'voicemail||box'],
      incorrect_count: 2,
      invalid_destination: 'hangup||now',
      timeout_tries: 2,
    },
  ]);
  expect(file.request).toMatchObject([
    { name: 'ask', next_destination: 'department||team', failed_destination: 'voicemail||box' },
  ]);
  expect(file.department).toMatchObject([
    { name: 'team', queue: true, failover_destination: 'voicemail||box' },
  ]);
  expect(file.voicemail).toMatchObject([{ name: 'box', max_seconds: 600 }]);
});

test('what is not taken over is reported with its place and the reason', () => {
  const { left } = read(shop());
  expect(left).toEqual(
    expect.arrayContaining([
      'the widget "lost" (send-message): no call reaches it',
      'the flow "Shop": the telephone number: make one that leads to "announcement||welcome"',
      'the widget "welcome" (say-play): the sound: make the recording "studio-welcome" of the text "Hello"',
      'the widget "team" (send-to-flex): its agents: add them to the department "team"',
    ]),
  );
});

test('other digits are collected, and what is asked, set, decided and sent by them is taken over', () => {
  const condition = (type: string, value: string) => [
    { friendly_name: 'x', arguments: ['{{widgets.look_up.parsed.order.state}}'], type, value },
  ];
  const decide = state('decide', 'split-based-on', { input: '{{widgets.look_up.parsed.order.state}}' }, [
    'noMatch',
    'box',
  ]);
  const { file, left } = read(
    flow(
      trigger('order'),
      state(
        'order',
        'gather-input-on-call',
        { say: 'Your order', number_of_digits: '6', finish_on_key: '#', timeout: 9 },
        ['keypress', 'keep'],
        ['timeout', 'order'],
      ),
      state(
        'keep',
        'set-variables',
        { variables: [{ key: 'Order No', value: 'A-{{widgets.order.Digits}}' }] },
        ['next', 'look_up'],
      ),
      state(
        'look_up',
        'make-http-request',
        {
          method: 'POST',
          url: 'https://shop.example/orders/{{widgets.order.Digits}}',
          content_type: 'application/json;charset=utf-8',
          body: '{"order":"{{widgets.order.Digits}}","caller":"{{trigger.call.From}}","deep":{"a":1}}',
        },
        ['success', 'decide'],
        ['failed', 'box'],
      ),
      {
        ...decide,
        transitions: [
          ...decide.transitions,
          { event: 'match', next: 'text', conditions: condition('matches_any_of', 'sent, packed') },
          { event: 'match', next: 'box', conditions: condition('regex', '^x+$') },
        ],
      },
      state(
        'text',
        'send-message',
        {
          to: '{{contact.channel.address}}',
          body: 'Order {{widgets.order.Digits}} is {{widgets.look_up.parsed.order.state}}, {{flow.variables.name}}{{now | date}}',
        },
        ['sent', 'box'],
        ['failed', 'box'],
      ),
      state('box', 'record-voicemail', {}, ['recordingComplete']),
    ),
  );
  expect(file.collect).toMatchObject([
    {
      name: 'order',
      recording: 'recording||studio-order',
      max_digits: 6,
      finish_key: '#',
      timeout: 9,
      attempts: 3,
      save_as: 'order',
      next_destination: 'switch||keep',
      failed_destination: 'hangup||now',
    },
  ]);
  expect(file.request).toMatchObject([
    {
      url: 'https://shop.example/orders/{order}',
      method: 'POST',
      body: { order: '{order}', caller: '{caller}' },
      save: [{ variable: 'look_up_order_state', pointer: '/order/state' }],
      next_destination: 'switch||decide',
      failed_destination: 'voicemail||box',
    },
  ]);
  expect(file.switch).toMatchObject([
    { name: 'keep', set: [{ variable: expect.stringMatching(/^order_no/), value: 'A-{order}' }], rules: [] },
    {
      name: 'decide',
      rules: [
        {
          variable: 'look_up_order_state',
          operator: 'in',
          value: 'sent, packed',
          destination: 'message||text',
        },
      ],
      otherwise_destination: 'voicemail||box',
    },
  ]);
  expect(file.message).toMatchObject([
    { name: 'text', sms_template: 'text', to: '{caller}', next_destination: 'voicemail||box' },
  ]);
  expect(file.sms_template).toMatchObject([
    { name: 'text', text: 'Order {order} is {look_up_order_state}, {name_2}' },
  ]);
  expect(left).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/decide.*a condition "regex"/),
      expect.stringMatching(/look_up.*the member "deep" of its body/),
      expect.stringMatching(/text.*\{\{now \| date\}\}.*it is empty/),
    ]),
  );
});

test('a GET has its parameters in the URL; a host with variables in it is reported', () => {
  const parameters = [{ key: 'who is', value: 'a b {{trigger.call.From}}' }];
  const { file, left } = read(
    flow(
      trigger('ask'),
      state('ask', 'make-http-request', { method: 'GET', url: 'https://shop.example/x', parameters }, [
        'success',
        'next',
      ]),
      state('next', 'make-http-request', { url: 'https://{{flow.variables.host}}/x' }, ['failed', 'bye']),
      state('bye', 'say-play', { say: 'Bye' }, ['audioComplete']),
    ),
  );
  expect(file.request).toMatchObject([
    {
      method: 'GET',
      url: 'https://shop.example/x?who%20is=a%20b%20{caller}',
      body: {},
      next_destination: 'announcement||bye',
    },
  ]);
  expect(left).toContainEqual(expect.stringMatching(/"next".*host without variables.*go on at "bye"/));
});

test('the key of a menu is no variable, and is reported where something reads it', () => {
  const menu = shop();
  const states = [
    ...menu.states.filter((each) => Reflect.get(each, 'name') !== 'ask'),
    state('ask', 'send-message', { body: 'You pressed {{widgets.main_menu.Digits}}' }, ['sent']),
  ];
  expect(read({ ...menu, states }).left).toContainEqual(expect.stringMatching(/main_menu.*menus keep none/));
});

test('a split of more than one expression puts them into a variable first', () => {
  const both = '{{trigger.call.From}}-{{trigger.call.To}}';
  const split = state('both', 'split-based-on', { input: both }, ['noMatch']);
  const conditions = [{ friendly_name: 'x', arguments: [both], type: 'starts_with', value: '+49' }];
  const { file } = read(
    flow(trigger('both'), { ...split, transitions: [{ event: 'match', next: 'both', conditions }] }),
  );
  expect(file.switch).toMatchObject([
    {
      name: 'both',
      set: [{ variable: 'both_1', value: '{caller}-{dialled}' }],
      rules: [{ variable: 'both_1', operator: 'starts_with', value: '+49', destination: 'switch||both' }],
      otherwise_destination: 'hangup||now',
    },
  ]);
});

test('a SIP address is called as one, and its password is left to people', () => {
  const { file, left } = read(
    flow(
      trigger('bot'),
      state('bot', 'connect-call-to', {
        ...{ noun: 'sip', sip_endpoint: 'sip:{{flow.variables.bot}}@voice.example.com;transport=tls' },
        ...{ sip_username: 'u', sip_password: 'p', timeout: 20 },
      }),
    ),
  );
  expect(file.sip_address).toMatchObject([
    { name: 'bot', uri: 'sip:{bot}@voice.example.com;transport=tls', username: 'u', ring_seconds: 20 },
  ]);
  expect(left).toContainEqual(expect.stringMatching(/bot.*SIP_ADDRESS_HOSTS/));
  expect(left).toContainEqual(expect.stringMatching(/bot.*its password/));
  const odd = flow(
    trigger('bot'),
    state('bot', 'connect-call-to', { noun: 'sip', sip_endpoint: 'sip:a@{{x}}' }),
  );
  expect(read(odd).file.sip_address).toEqual([]);
});

test('rings, missing widgets and unknown types end calls and are reported', () => {
  const ring = flow(
    trigger('a'),
    state('a', 'record-call', {}, ['success', 'b']),
    state('b', 'record-call', {}, ['success', 'a']),
    state('c', 'say-play', { say: 'x' }, ['audioComplete', 'gone']),
  );
  expect(read(ring).left).toContainEqual(expect.stringContaining('leads to "hangup||now"'));
  const odd = flow(
    trigger('x'),
    state('x', 'say-play', { say: 'x' }, ['audioComplete', 'y']),
    state('y', 'teleport', {}, ['next', 'gone']),
  );
  const { file, left } = read(odd);
  expect(file.announcement).toMatchObject([{ destination: 'hangup||now' }]);
  expect(left).toContainEqual(expect.stringContaining('widgets of the type "teleport" are not known'));
});

test('the answer of the API of Twilio is read like the definition in it', () => {
  const { left } = read({ sid: 'FW1', friendly_name: 'Night', definition: shop() });
  expect(left).toContainEqual(expect.stringContaining('the flow "Night"'));
});

test.each<[string, number, (index: number) => object]>([
  [
    'every other one passed',
    2_450,
    (index) =>
      state(`w${index}`, index % 2 ? 'say-play' : 'record-call', { say: 'x' }, [
        index % 2 ? 'audioComplete' : 'success',
        `w${index + 1}`,
      ]),
  ],
  ['all passed', 0, (index) => state(`w${index}`, 'record-call', {}, ['success', `w${index + 1}`])],
])('thousands of widgets in a row, %s, are read in work that grows with them', async (_, left, widget) => {
  const widgets = (count: number) =>
    flow(trigger('w0'), ...Array.from({ length: count }, (_each, index) => widget(index)));
  expect(read(widgets(4_900)).file.announcement).toHaveLength(left);
  const [few = 0, many = 0] = await workOf<typeof import('./twilio-studio.ts')>(
    new URL('./twilio-studio.ts', import.meta.url),
    [490, 4_900].map((count) => (module) => module.fromTwilioStudio(widgets(count))),
  );
  expect(few).toBeGreaterThan(10_000);
  expect(many / few).toBeLessThan(15);
});

test.each<[string, unknown]>([
  ['no object', 'flow'],
  ['no states', { description: 'x' }],
  ['states that are no list', { states: {} }],
  ['a state without a name', { initial_state: 'Trigger', states: [{ type: 'trigger' }] }],
  ['a state twice', flow(trigger('a'), trigger('a'))],
  ['no beginning', { states: [state('a', 'say-play', {})] }],
  [
    'transitions that are no list',
    { initial_state: 'a', states: [{ name: 'a', type: 'trigger', transitions: 5 }] },
  ],
  [
    'a transition that is no object',
    { initial_state: 'a', states: [{ name: 'a', type: 'trigger', transitions: [null] }] },
  ],
  [
    'too many states',
    flow(...Array.from({ length: 5_001 }, (_, index) => state(`w${index}`, 'trigger', {}))),
  ],
])('a file with %s is refused as a whole', (_, json) => {
  expect(() => fromTwilioStudio(json)).toThrow(ForeignFileError);
});

test('names with marks of references and control characters are still names', () => {
  const name = `a||b\u0007${'x'.repeat(200)}`;
  const { file } = read(flow(trigger(name), state(name, 'say-play', { say: 'x' }, ['audioComplete'])));
  expect(file.announcement[0]?.name).toMatch(/^a b x+$/);
});

// Any records of the kinds that ask, decide and send, for any-account.ts.
import fc from 'fast-check';
import type { Collect } from '../../src/kinds/collect.ts';
import type { FlowMessage } from '../../src/kinds/message.ts';
import type { FlowRequest } from '../../src/kinds/request.ts';
import type { SipAddress } from '../../src/kinds/sip-address.ts';
import type { FlowStream } from '../../src/kinds/stream.ts';
import type { Switch } from '../../src/kinds/switch.ts';

type Text = fc.Arbitrary<string>;

export function anyFlowLogic(destination: Text) {
  const collect = (name: Text): fc.Arbitrary<Collect> =>
    fc.record({
      name,
      description: fc.constant(''),
      recording: fc.constantFrom('recording||r0', 'recording||r9'),
      text: fc.constantFrom(null, 'Order {order}?'),
      min_digits: fc.constantFrom(1, 2),
      max_digits: fc.constantFrom(2, 32),
      finish_key: fc.constantFrom('#' as const, '*' as const, '' as const),
      timeout: fc.constant(5),
      allowed: fc.constantFrom([], ['12', 'length:6', 'prefix:4']),
      attempts: fc.constant(2),
      invalid_recording: fc.constantFrom(null, 'recording||r0'),
      timeout_recording: fc.constantFrom(null, 'recording||r0'),
      confirm: fc.boolean(),
      save_as: fc.constant('order'),
      sensitive: fc.boolean(),
      next_destination: destination,
      failed_destination: destination,
    });

  const request = (name: Text): fc.Arbitrary<FlowRequest> =>
    fc.record({
      name,
      description: fc.constant(''),
      url: fc.constant('https://example.com/{order}'),
      method: fc.constantFrom('GET' as const, 'POST' as const),
      body: fc.constantFrom({}, { order: '{order}' }),
      sealed_secret: fc.constant(null),
      timeout_ms: fc.constant(3_000),
      save: fc.constantFrom([], [{ variable: 'state', pointer: '/state' }]),
      choices: fc.array(fc.record({ answer: fc.constantFrom('a', 'b'), destination }), { maxLength: 2 }),
      wait_recording: fc.constantFrom(null, 'recording||r0'),
      next_destination: destination,
      failed_destination: destination,
    });

  const stream = (name: Text): fc.Arbitrary<FlowStream> =>
    fc.record({
      name,
      description: fc.constant(''),
      url: fc.constant('wss://bot.example.com/{order}'),
      parameters: fc.constantFrom({}, { order: '{order}' }),
      sealed_secret: fc.constant(null),
      disclosure_recording: fc.constantFrom(null, 'recording||r0'),
      max_seconds: fc.constant(600),
      destinations: fc.array(destination, { maxLength: 2 }),
      next_destination: destination,
      failed_destination: destination,
    });

  const aSwitch = (name: Text): fc.Arbitrary<Switch> =>
    fc.record({
      name,
      description: fc.constant(''),
      set: fc.constantFrom([], [{ variable: 'x', value: '{caller}' }]),
      rules: fc.array(
        fc.record({
          variable: fc.constant('x'),
          operator: fc.constantFrom('equals' as const, 'exists' as const),
          value: fc.constantFrom('', '1'),
          destination,
        }),
        { maxLength: 2 },
      ),
      otherwise_destination: destination,
    });

  const message = (name: Text): fc.Arbitrary<FlowMessage> =>
    fc.record({
      name,
      description: fc.constant(''),
      sms_template: fc.constantFrom('s0', 's9'),
      to: fc.constant('{caller}'),
      next_destination: destination,
    });

  const sipAddress = (name: Text): fc.Arbitrary<SipAddress> =>
    fc.record({
      name,
      description: fc.constant(''),
      uri: fc.constantFrom('sip:desk@pbx.example.com', 'sips:{order}@pbx.example.com:5071'),
      username: fc.constantFrom(null, 'u'),
      sealed_password: fc.constant(null),
      headers: fc.constantFrom({}, { 'X-Order': '{order}' }),
      caller_id: fc.constantFrom(null, '+4930123'),
      ring_seconds: fc.constantFrom(null, 20),
      failover_destination: fc.option(destination),
    });

  return { collect, request, stream, switch: aSwitch, message, sipAddress };
}

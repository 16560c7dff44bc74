// Events as calls publish them are what the document promises under `webhooks`.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { CallEvents, type PublishedEvent } from '../../calls/events/call-events.ts';
import type { CallFacts, CallResult } from '../../calls/records/call-record.ts';
import { newId } from '../../domain/id.ts';
import { describeNotification, NO_FACTS } from '../../domain/notification.ts';
import { eventBody, PING } from '../../domain/webhook.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import { CALL_EVENT_TYPES } from '../../kinds/webhook.ts';
import { EVENT_SCHEMAS, webhooks } from './events.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
ajv.addKeyword('components');
ajv.addSchema({ $id: 'openapi', components: { schemas: EVENT_SCHEMAS } });

function fault(type: string, body: string): string | null {
  const { post } = webhooks()[type] as { post: { requestBody: { content: { 'application/json': object } } } };
  const { schema } = post.requestBody.content['application/json'] as { schema: object };
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
  return validate(JSON.parse(body)) ? null : ajv.errorsText(validate.errors);
}

const FACTS = {
  id: 'c1',
  callId: 'x@host',
  accountId: 'a',
  direction: 'inbound',
  caller: null,
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1,
} as unknown as CallFacts;

const entry = (code: string, more: object = {}): TrailEntry =>
  ({ code, atMs: 5, node: 'ivr||main', text: 'It happened.', ...more }) as unknown as TrailEntry;

it('has a schema for every type, which fits what is published', () => {
  const published: PublishedEvent[] = [];
  const events = new CallEvents((error) => expect(error).toBeNull());
  events.subscribe((event) => void published.push(event));
  for (const code of ['call-started', 'arrived', 'ringing', 'connected', 'party-replaced'])
    events.trailEntryAdded(FACTS, entry(code));
  events.trailEntryAdded(FACTS, entry('audio-one-way', { node: null }));
  events.trailEntryAdded(FACTS, entry('key-pressed', { keys: '1' }));
  const option = { keys: '1', destination: 'department||sales', webhook: 'webhook||w1' };
  events.trailEntryAdded(FACTS, entry('option-matched', option));
  const end = { code: 'no-answer', cause: 19, word: 'no answer', text: 'No agent answered.' };
  const by = { kind: 'agent', id: '100001', name: 'Asha' };
  const result = {
    end,
    durationMs: 9.5,
    answeredBy: null,
    waitMs: 0,
    ringMs: 5,
    talkMs: 0,
    trail: [entry('ring-progressed')],
  };
  events.callEnded(FACTS, { ...result, transferredTo: null } as unknown as CallResult);
  events.callEnded(FACTS, { ...result, transferredTo: { callId: 'c2', by } } as unknown as CallResult);
  const sound = { id: 's1', duration_ms: 900, audio: '/v1/voicemail/s1/audio' };
  events.publish('voicemail.received', FACTS, 1, {
    voicemail: { ...sound, box: 'b', box_name: 'Box', email: null },
  });
  events.publish('call.recorded', FACTS, 1, { recording: { ...sound, agent: '100001' } });
  const room = { room: { id: 'weekly', name: 'Weekly' }, host: false, participants: 2 };
  events.publish('room.joined', FACTS, 1, room);
  events.publish('room.left', FACTS, 1, room);
  events.publishAgent('acme', '100001', 1, {
    agent: { eid: '100001', name: 'Asha' },
    state: 'paused',
    previous: null,
    reason: 'lunch',
  });
  const notification = describeNotification({
    accountId: 'acme',
    id: 'n1',
    type: 'queue_too_long',
    subject: 'department||sales',
    name: 'Sales',
    facts: { ...NO_FACTS, waiting: 7, wait_ms: 90_000 },
    openedAtMs: 1,
    closedAtMs: null,
    sent: {},
  });
  for (const type of ['notification.opened', 'notification.closed'] as const)
    events.publishNotification('acme', { id: newId(1), type, atMs: 1 }, 'n1', { notification });
  const callback = {
    id: 'b',
    department: 'sales',
    number: '+4930123456',
    asked_by: 'c',
    attempts: 1,
    state: 'done',
    result: null,
  };
  for (const type of ['callback.asked', 'callback.ended'] as const)
    events.publish(type, FACTS, 9, { callback });
  expect(new Set(published.map(({ type }) => type))).toEqual(new Set(CALL_EVENT_TYPES));
  for (const event of published)
    expect([event.type, fault(event.type, eventBody(event))]).toEqual([event.type, null]);
  const ping = eventBody({ id: 'p', type: PING, atMs: 1, data: { webhook: { id: 'w1', name: 'Ours' } } });
  expect(fault(PING, ping)).toBeNull();
  expect(fault('call.ended', ping)).toContain('must be equal to constant');
});

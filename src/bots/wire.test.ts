import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONNECTED, MAX_MARK_NAME, MessageWriter, readMessage, sidOf } from './wire.ts';

const facts = {
  streamSid: sidOf('MZ', 'stream'),
  accountSid: sidOf('AC', 'default'),
  callSid: sidOf('CA', '0192c5a0-7b7e-7c3e-8c3e-0123456789ab'),
  parameters: { from_number: '+49"30', to_number: '100' },
};

describe('what we write', () => {
  it('has ids of a prefix and 32 hex digits: those of a UUID itself, of others the hash', () => {
    expect(facts.callSid).toBe('CA0192c5a07b7e7c3e8c3e0123456789ab');
    expect(facts.accountSid).toMatch(/^AC[0-9a-f]{32}$/);
    expect(sidOf('AC', 'default')).toBe(facts.accountSid);
  });

  it('numbers messages, chunks and times as text', () => {
    const writer = new MessageWriter(facts);
    const { streamSid } = facts;
    expect(JSON.parse(CONNECTED)).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(JSON.parse(writer.start())).toMatchObject({
      sequenceNumber: '1',
      start: { customParameters: facts.parameters },
    });
    writer.media('AAAA');
    writer.skipMedia();
    expect(JSON.parse(writer.media('BBBB'))).toEqual({
      event: 'media',
      sequenceNumber: '3',
      streamSid,
      media: { track: 'inbound', chunk: '3', timestamp: '40', payload: 'BBBB' },
    });
    expect(JSON.parse(writer.dtmf('#'))).toEqual({
      event: 'dtmf',
      sequenceNumber: '4',
      streamSid,
      dtmf: { track: 'inbound_track', digit: '#' },
    });
    expect(JSON.parse(writer.mark('a"b'))).toMatchObject({ sequenceNumber: '5', mark: { name: 'a"b' } });
    const { accountSid, callSid } = facts;
    expect(JSON.parse(writer.stop())).toMatchObject({ event: 'stop', stop: { accountSid, callSid } });
  });
});

const read = (message: unknown) => readMessage(JSON.stringify(message));

describe('what bots write', () => {
  it('is read', () => {
    const payload = Buffer.from([1, 2, 3]).toString('base64');
    expect(read({ event: 'media', streamSid: 'MZ', media: { payload } })).toEqual({
      event: 'media',
      audio: Buffer.from([1, 2, 3]),
    });
    expect(read({ event: 'mark', mark: { name: 'x' } })).toEqual({ event: 'mark', name: 'x' });
    expect(read({ event: 'clear' })).toEqual({ event: 'clear' });
    expect(read({ event: 'transfer', transfer: { destination: 'ivr||1' } })).toEqual({
      event: 'transfer',
      destination: 'ivr||1',
    });
    expect(read({ event: 'transfer', destination: 'ivr||1' })).toEqual({
      event: 'transfer',
      destination: 'ivr||1',
    });
    expect(read({ event: 'later', later: 1 })).toEqual({ event: 'unknown' });
  });

  it('sets 50 variables at most, none that are built in, and cuts what is too long', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`v${index}`, index]));
    const message = read({
      event: 'variables',
      variables: { caller: 'x', 'Not a name': 'x', nested: {}, long: 'x'.repeat(2_000), ...many },
    });
    if (typeof message === 'string' || message.event !== 'variables') throw new Error('it must be read');
    expect(Object.keys(message.values)).toHaveLength(50);
    expect(message.values).toMatchObject({ v0: '0' });
    expect(message.values['long']).toHaveLength(1_024);
    expect(message.values).not.toHaveProperty('caller');
  });

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'it has no event'],
    ['{"event":1}', 'it has no event'],
    ['{"event":"media"}', 'media has no payload'],
    ['{"event":"media","media":{"payload":7}}', 'media has no payload'],
    ['{"event":"mark"}', 'the name of a mark'],
    [`{"event":"mark","mark":{"name":"${'x'.repeat(MAX_MARK_NAME + 1)}"}}`, 'the name of a mark'],
    ['{"event":"transfer"}', 'transfer has no destination'],
    ['{"event":"variables","variables":[]}', 'variables has no object'],
  ])('that cannot be read is told why: %s', (text, why) => {
    expect(readMessage(text)).toContain(why);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['string', 'object']).toContain(typeof readMessage(text));
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { MAX_BODY, MAX_DEPTH, MAX_VALUES, readJsonObject } from './body.ts';

const outcome = (text: string | Buffer): unknown => {
  const read = readJsonObject(Buffer.from(text as string));
  return 'problem' in read ? read.problem : read.value;
};

describe('a JSON body', () => {
  it('that is an object is read', () => {
    expect(outcome('{"a":[1,{"b":"\\"]}"}]}')).toEqual({ a: [1, { b: '"]}' }] });
  });

  it.each(['[]', '1', '"x"', 'null', 'true'])('%s is JSON but not an object', (text) => {
    expect(outcome(text)).toBe('body_not_object');
  });

  it.each(['', '{', '{"a":}', '{"a":1,}', "{'a':1}", '{"a":1}}', '{"a":"\n"}', '{"a":"\\'])(
    '%j is malformed',
    (text) => {
      expect(outcome(text)).toBe('body_malformed');
    },
  );

  it('bytes that are not UTF-8 are refused, not repaired', () => {
    expect(outcome(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('body_not_utf8');
  });

  it('may be nested to the limit and not deeper; brackets inside text do not count', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(outcome(nested(MAX_DEPTH))).toBeTypeOf('object');
    expect(outcome(nested(MAX_DEPTH + 1))).toBe('body_too_deep');
    expect(outcome(`{"a":"${'['.repeat(1000)}"}`)).toBeTypeOf('object');
    expect(outcome(`{"a":"\\"${'['.repeat(1000)}"}`)).toBeTypeOf('object');
  });

  it('may hold so many values and not more', () => {
    expect(outcome(`{"a":[${'1,'.repeat(MAX_VALUES - 1)}1]}`)).toBeTypeOf('object');
    expect(outcome(`{"a":[${'1,'.repeat(MAX_VALUES)}1]}`)).toBe('body_too_many_values');
  });

  it('does not touch the prototype of objects', () => {
    outcome('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['', 'it ends too early'],
    ['{"a":1,}', 'the fault is at character 7'],
    ['{"a":}', 'it has an unexpected character'],
  ])('%j is malformed, and the message says where without a quotation', (text, why) => {
    expect(readJsonObject(Buffer.from(text))).toMatchObject({
      problem: 'body_malformed',
      message: `The body is not valid JSON: ${why}.`,
    });
  });

  it('may be nested 32 levels deep and hold 10,000 values', () => {
    expect([MAX_DEPTH, MAX_VALUES]).toEqual([32, 10_000]);
  });

  it('is as deep as its deepest part: what is closed before does not count', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const sibling of ['[],', '{},']) {
      const siblings = sibling.repeat(40);
      expect(outcome(`{"a":[${siblings}1]}`)).toBeTypeOf('object');
      expect(outcome(`{"a":[${siblings}${deep(30)}]}`)).toBeTypeOf('object');
      expect(outcome(`{"a":[${siblings}${deep(31)}]}`)).toBe('body_too_deep');
    }
  });

  it.each(['{"":"BRACKETS"}', '{"a":"x\\\\","b":"BRACKETS"}', '{"a":"\\\\\\"BRACKETS"}'])(
    '%s has its brackets in text, however its quotes are escaped',
    (text) => {
      expect(outcome(text.replace('BRACKETS', '['.repeat(100)))).toBeTypeOf('object');
    },
  );

  it('may begin with a byte order mark', () => {
    expect(outcome('\ufeff{"a":1}')).toEqual({ a: 1 });
  });
});

it('the limit of a body is 256 KiB, as docs/limits.md says', () => {
  expect(MAX_BODY).toBe(262_144);
});

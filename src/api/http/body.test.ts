import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_VALUES, readJsonObject } from './body.ts';

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
});

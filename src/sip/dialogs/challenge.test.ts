import { describe, expect, it } from 'vitest';
import { TestBed } from '../testing/test-bed.ts';

const ANSWER = { body: Buffer.from('answer') };
const CHALLENGE = ['www-authenticate', 'Digest realm="trunk", nonce="n1", qop="auth"'] as const;

describe('challenges', () => {
  it('are answered when credentials for the target were given', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ credentials: { username: 'us', password: 'secret' } });
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    const again = bed.transactions.last;
    expect(bed.transactions.sent.length).toBe(2);
    expect(again.request.cseq.number).toBe(2);
    expect(again.request.to.params.has('tag')).toBe(false);
    expect(again.header('authorization')).toContain('username="us"');
    again.answer(200, ANSWER);
    expect(listener.log).toEqual(['answered answer']);
    expect(bed.transactions.acks[0]?.request.cseq.number).toBe(2);
  });

  it('that each bring a new nonce are answered twice, not for ever', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ credentials: { username: 'us', password: 'secret' } });
    for (let nonce = 1; nonce <= 5; nonce++) {
      const challenge = `Digest realm="trunk", nonce="n${nonce}", stale=true, qop="auth"`;
      bed.transactions.last.answer(401, { headers: [['www-authenticate', challenge]] });
    }
    expect(bed.transactions.sent.length).toBe(3);
    expect(listener.log).toEqual(['ended by peer 401 null']);
  });

  it('with a wrong password are answered once', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ credentials: { username: 'us', password: 'wrong' } });
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    expect(bed.transactions.sent.length).toBe(2);
    expect(listener.log).toEqual(['ended by peer 401 null']);
  });

  it('are never answered without credentials, for another realm, or after somebody rang (T6)', () => {
    const bed = new TestBed();
    bed.call();
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    bed.call({ credentials: { username: 'us', password: 'p', realm: 'other' } });
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    bed.call({ credentials: { username: 'us', password: 'p' } });
    bed.transactions.last.answer(180);
    bed.transactions.last.answer(407, { headers: [['proxy-authenticate', CHALLENGE[1]]] });
    expect(bed.transactions.sent.length).toBe(3);
    expect(bed.agent.sessions).toBe(0);
  });
});

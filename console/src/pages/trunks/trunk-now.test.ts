import { describe, expect, it } from 'vitest';
import { reasonOf, trunkNow } from './trunk-now.ts';

const on = { enabled: true };

describe('a trunk now', () => {
  it('is green only where the provider has answered', () => {
    expect(trunkNow(on, { registered: true, reachable: null }).tone).toBe('good');
    expect(trunkNow(on, { registered: null, reachable: true }).tone).toBe('good');
    expect(trunkNow(on, { registered: null, reachable: null }).tone).toBe('neutral');
    expect(trunkNow(on, undefined).tone).toBe('neutral');
    expect(trunkNow({ enabled: false }, { registered: true, reachable: true }).tone).toBe('neutral');
  });

  it('is red where it is not registered or does not answer', () => {
    expect(trunkNow(on, { registered: false, reachable: true }).tone).toBe('bad');
    expect(trunkNow(on, { registered: true, reachable: false }).tone).toBe('bad');
  });

  it('has the service’s reasons in the language of the console', () => {
    expect(reasonOf('sip.example has not answered.')).toEqual({
      key: 'now.trunk.why.silent',
      values: { host: 'sip.example' },
    });
    expect(reasonOf('sip.example refuses the user name or password.')?.key).toBe('now.trunk.why.password');
    expect(reasonOf('sip.example refuses the registration: 403 Forbidden.')).toEqual({
      key: 'now.trunk.why.refused',
      values: { answer: '403 Forbidden' },
    });
    expect(reasonOf('Something new.')).toBeNull();
  });
});

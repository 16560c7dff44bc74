import { describe, expect, it } from 'vitest';
import { addressText, readMapAddress } from './address.ts';

const read = (address: string) => {
  const [path = '', query] = address.split('?');
  return readMapAddress(path.split('/').filter(Boolean).map(decodeURIComponent), new URLSearchParams(query));
};

describe('the address of the map', () => {
  it('omits defaults', () => {
    expect(addressText(read('/map'))).toBe('/map');
  });

  it('keeps everything that can be chosen', () => {
    const address =
      '/map/ivr%7C%7Cmain?show=statistics&measure=dropOff&days=30&from=2026-11-01&to=2026-11-09&view=outline&try=dialled%7C%7C1&replay=c1&field=%2Fdestination%2F0&number=dialled%7C%7Cn1&agents=all&shelf=open';
    expect(read(address)).toEqual({
      selected: 'ivr||main',
      show: 'statistics',
      measure: 'dropOff',
      days: 30,
      span: { from: '2026-11-01', to: '2026-11-09' },
      view: 'outline',
      trying: 'dialled||1',
      replay: 'c1',
      field: '/destination/0',
      number: 'dialled||n1',
      department: null,
      allAgents: true,
      shelf: true,
    });
    expect(addressText(read(address))).toBe(address);
  });

  it('ignores invalid values', () => {
    expect(addressText(read('/map?show=magic&days=-3&view=x&measure=y&from=2026-11-09&to=2026-11-01'))).toBe(
      '/map',
    );
  });
});

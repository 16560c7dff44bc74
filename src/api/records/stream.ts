// Streams to voice bots.
import { piecesOf } from '../../flow/variables.ts';
import { Faults } from '../../kinds/problem.ts';
import { plain, sealing } from './plain.ts';

export const streams = plain('stream', {
  ...sealing('stream'),
  /** Names are not looked up: what they mean is asked for every call. The host must be fixed. */
  async refuse({ url }, _request, { safeFetch }) {
    const faults = new Faults();
    const [first = '', ...rest] = piecesOf(url);
    const host = rest.length > 0 ? /^wss?:\/\/[^/?#]+[/?#]/i : /^wss?:\/\/[^/?#]+/i;
    if (typeof first !== 'string' || !host.test(first))
      faults.add(
        '/url',
        'url_refused',
        'url cannot be used: it must begin with wss:// or ws:// and a host without variables.',
      );
    else {
      const plain = piecesOf(url)
        .map((piece) => (typeof piece === 'string' ? piece : 'x'))
        .join('');
      const reason = safeFetch.refusal(plain.replace(/^ws/i, 'http'));
      if (reason !== null) faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
    }
    return faults.list.length > 0 ? faults.toProblem() : null;
  },
});

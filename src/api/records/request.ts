// Requests: steps that ask the company's system.
import { piecesOf } from '../../flow/variables.ts';
import { Faults } from '../../kinds/problem.ts';
import { plain, sealing } from './plain.ts';

export const requests = plain('request', {
  ...sealing('request'),
  /** Names are not looked up: what they mean is asked at every request. The host must be fixed. */
  async refuse({ url }, _request, { safeFetch }) {
    const faults = new Faults();
    const [first = '', ...rest] = piecesOf(url);
    const host = rest.length > 0 ? /^https?:\/\/[^/?#]+[/?#]/i : /^https?:\/\/[^/?#]+/i;
    if (typeof first !== 'string' || !host.test(first))
      faults.add(
        '/url',
        'url_refused',
        'url cannot be used: it must begin with http:// or https:// and a host without variables.',
      );
    const plain = piecesOf(url)
      .map((piece) => (typeof piece === 'string' ? piece : 'x'))
      .join('');
    const reason = safeFetch.refusal(plain);
    if (reason !== null) faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
    return faults.list.length > 0 ? faults.toProblem() : null;
  },
});

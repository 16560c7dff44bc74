import { describe, expect, it } from 'vitest';
import type { NameAddr } from '../../../sip/message.ts';
import type { Replaces } from '../../../sip/replaces.ts';
import type { TransferAnswer } from '../../telephony.ts';
import { recordingEvents } from '../testing/stand-ins.ts';
import type { BuiltinLeg } from './leg.ts';
import { askTransfer } from './session-capabilities.ts';

describe('REFER', () => {
  const to = (uri: string): NameAddr => ({ display: '', uri, params: new Map() });
  const namedLeg = ({ callId, fromTag }: Replaces) => (fromTag === 'b' ? ({ callId } as BuiltinLeg) : null);
  const ask = (uri: string, replaces: string | null = null, answer?: TransferAnswer) => {
    const events: string[] = [];
    const answers: (true | number)[] = [];
    let isFinal = false;
    const notified = (status: number): void => {
      if (!isFinal) answers.push(status);
      isFinal ||= status >= 200;
    };
    const listener = recordingEvents(events, answer);
    askTransfer({ namedLeg }, listener, to(uri), replaces, (result) => {
      answers.push(result);
      return result === true ? { notify: notified } : null;
    });
    return { events, answers };
  };

  it('to a number is for the call to decide', () => {
    expect(ask('sip:1002@dialtree.example')).toEqual({ events: ['transfer 1002'], answers: [true, 200] });
    expect(ask('tel:+441234')).toEqual({ events: ['transfer +441234'], answers: [true, 200] });
    expect(ask('mailto:a@b.example')).toEqual({ events: [], answers: [603] });
  });

  it('that names another dialog of ours is for the call to decide (RFC 3891)', () => {
    expect(ask('sip:1002@dialtree.example', 'c;to-tag=a;from-tag=b')).toEqual({
      events: ['transfer to c'],
      answers: [true, 200],
    });
  });

  it.each(['c;to-tag=a;from-tag=other', 'c;to-tag=a', ''])(
    'to a dialog that is not known (%j) fails in the NOTIFY, so that the phone keeps both calls',
    (replaces) => {
      const asked = ask('sip:1002@dialtree.example', replaces, 'no-call');
      expect(asked).toEqual({ events: ['transfer to unknown'], answers: [true, 481] });
    },
  );

  it.each([null, 'c;to-tag=a;from-tag=b', 'c;to-tag=a;from-tag=other'])(
    'of a peer that may not transfer is refused at once (Replaces: %j)',
    (replaces) => {
      expect(ask('sip:1002@dialtree.example', replaces, 'forbidden').answers).toEqual([403]);
    },
  );

  it.each([null, 'c;to-tag=a;from-tag=b'])(
    'that fails on the way is reported as failed (Replaces: %j)',
    (replaces) => {
      const asked = ask('sip:1002@dialtree.example', replaces, () => {});
      expect(asked.answers).toEqual([true, 503]);
    },
  );
});

// One call at the desk: who, how long, and what can be done with it.
import { useEffect, useRef, useState } from 'react';
import { useServerNow } from '../../data/live.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Keypad } from '../../phone/keypad.tsx';
import { Meters } from '../../phone/meters.tsx';
import type { CallView, PhoneCall } from '../../phone/phone-call.ts';
import { useWords, type Words } from '../../words/words.tsx';
import type { Order } from './desk-phone.ts';
import { callerOf } from './ringing.ts';
import { TransferDialog } from './transfer-dialog.tsx';

interface CardProps {
  readonly call: CallView;
  readonly order: (order: Order) => void;
  /** Undefined: another tab has the sound. */
  readonly phoneCall: PhoneCall | undefined;
  /** Another call, which the caller of this one can be connected with. */
  readonly other: CallView | undefined;
}

export function CallCard(props: CardProps) {
  const { call } = props;
  const { t } = useWords();
  const caller = callerOf(call);
  const card = useKeptFocus(call.phase);
  return (
    <section
      ref={card}
      className="desk-call"
      data-phase={call.phase}
      aria-label={t('desk.call', { caller })}
      tabIndex={-1}
    >
      <header>
        <h2>{caller}</h2>
        <Phase call={call} />
      </header>
      {call.phase === 'ringing' && <Ringing {...props} />}
      {call.phase === 'calling' && <HangUp {...props} />}
      {call.phase === 'talking' && <Talking {...props} />}
      {call.phase === 'ended' && <Ended {...props} />}
    </section>
  );
}

/** The button that was pressed goes with its phase: the keyboard stays with the call. */
function useKeptFocus(phase: CallView['phase']) {
  const card = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const look = (): void => {
      hadFocus.current = card.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked again for each phase
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) card.current?.focus();
  }, [phase]);
  return card;
}

function Phase({ call }: Pick<CardProps, 'call'>) {
  const { t, duration } = useWords();
  // Once a second; the times of a call are this browser's.
  useServerNow();
  const now = Date.now();
  const { phase, isHeld, isLost, answeredMs } = call;
  if (phase !== 'talking')
    return <Badge tone={phase === 'ended' ? 'neutral' : 'info'}>{t(`desk.phase.${phase}`)}</Badge>;
  const state = isLost ? 'lost' : isHeld ? 'held' : 'talking';
  return (
    <span className="desk-phase">
      <Badge tone={isLost ? 'bad' : isHeld ? 'warn' : 'good'}>{t(`desk.phase.${state}`)}</Badge>
      <span className="desk-clock">{duration(now - (answeredMs ?? now))}</span>
    </span>
  );
}

function Ringing({ call, order }: CardProps) {
  const { t } = useWords();
  return (
    <div className="desk-buttons">
      <Button kind="primary" icon="phone" onClick={() => order({ act: 'answer', call: call.id })}>
        {t('desk.accept')}
      </Button>
      <Button kind="danger" icon="hangup" onClick={() => order({ act: 'decline', call: call.id })}>
        {t('desk.decline')}
      </Button>
    </div>
  );
}

function HangUp({ call, order }: Pick<CardProps, 'call' | 'order'>) {
  const { t } = useWords();
  return (
    <Button kind="danger" icon="hangup" onClick={() => order({ act: 'hangUp', call: call.id })}>
      {t('desk.hangUp')}
    </Button>
  );
}

function Talking({ call, order, phoneCall, other }: CardProps) {
  const { t } = useWords();
  const [shows, setShows] = useState<'keypad' | 'transfer' | null>(null);
  const { id, isHeld, isMuted, keys, transfer } = call;
  const canJoin = other?.phase === 'talking' && (call.direction === 'out' || other.direction === 'out');
  return (
    <>
      <div className="desk-buttons">
        <Button
          icon={isMuted ? 'recording' : 'micOff'}
          aria-pressed={isMuted}
          onClick={() => order({ act: 'mute', call: id, isMuted: !isMuted })}
        >
          {t(isMuted ? 'desk.unmute' : 'desk.mute')}
        </Button>
        <Button
          icon={isHeld ? 'play' : 'pause'}
          aria-pressed={isHeld}
          onClick={() => order({ act: isHeld ? 'resume' : 'hold', call: id })}
        >
          {t(isHeld ? 'desk.resume' : 'desk.hold')}
        </Button>
        <Button
          icon="menu"
          aria-expanded={shows === 'keypad'}
          onClick={() => setShows(shows === 'keypad' ? null : 'keypad')}
        >
          {t('desk.keypad')}
        </Button>
        {canJoin && !isHeld ? (
          <Button
            kind="primary"
            icon="transfer"
            className="desk-join"
            onClick={() => order({ act: 'join', call: other.id, other: id })}
          >
            {t('desk.join', { caller: callerOf(other) })}
          </Button>
        ) : (
          <Button icon="transfer" onClick={() => setShows('transfer')}>
            {t('desk.transfer')}
          </Button>
        )}
        <HangUp call={call} order={order} />
      </div>
      {transfer === 'refused' && <p className="desk-fault">{t('desk.transfer.refused')}</p>}
      {shows === 'keypad' && (
        <div className="desk-keys">
          <output aria-label={t('desk.keys')}>{keys}</output>
          <Keypad label={t('desk.keypad')} onKey={(key) => order({ act: 'press', call: id, keys: key })} />
        </div>
      )}
      {phoneCall && !isHeld && <Meters call={phoneCall} />}
      {shows === 'transfer' && (
        <TransferDialog
          caller={callerOf(call)}
          onTransfer={(number) => order({ act: 'transfer', call: id, number })}
          onConsult={(number, name) => order({ act: 'call', number, name })}
          onClose={() => setShows(null)}
        />
      )}
    </>
  );
}

function Ended({ call, order }: CardProps) {
  const words = useWords();
  return (
    <div className="desk-ended">
      <p>{endOf(call, words)}</p>
      <Button icon="check" onClick={() => order({ act: 'dismiss', call: call.id })}>
        {words.t('desk.dismiss')}
      </Button>
    </div>
  );
}

function endOf({ end, direction, answeredMs }: CallView, { t }: Pick<Words, 't'>): string {
  if (!end) return '';
  if (end.fault) return t(`phone.fault.${end.fault}`);
  if (end.isElsewhere) return t('desk.end.elsewhere');
  if (end.by === 'network') return t('desk.end.network');
  if (answeredMs !== null) return t('desk.end.over');
  if (direction === 'in') return t(end.by === 'here' ? 'desk.end.declined' : 'desk.end.missed');
  if (end.by === 'here') return t('desk.end.given');
  if (end.status === 486 || end.status === 600 || end.status === 603) return t('desk.end.busy');
  return t(end.status === 404 || end.status === 403 ? 'desk.end.unknown' : 'desk.end.unanswered');
}

// One call of the phone: who, how long, how loud, how good, and what can be done with it.
import { useEffect, useRef, useState } from 'react';
import { useLive, useLiveEvents } from '../data/live.ts';
import { Button } from '../kit/button.tsx';
import { DeviceFields } from '../phone/device-fields.tsx';
import { Keypad } from '../phone/keypad.tsx';
import { Meters } from '../phone/meters.tsx';
import type { Phone } from '../phone/phone.ts';
import type { CallView, PhoneCall } from '../phone/phone-call.ts';
import { Link, useRoute } from '../router.tsx';
import { useWords, type Words } from '../words/words.tsx';
import { showPath } from './dock-store.ts';
import { afterOption, afterPlace, NO_WAY } from './own-path.ts';

interface CallCardProps {
  readonly phone: Phone;
  readonly call: PhoneCall;
  readonly view: CallView;
  readonly mayHold: boolean;
}

export function CallCard({ phone, call, view, mayHold }: CallCardProps) {
  const words = useWords();
  const { t } = words;
  const isTalking = view.phase === 'talking';
  useShownPath(call, view);
  return (
    <div className="dock-call">
      <p className="dock-who">
        <strong>{view.name || view.number}</strong>
        {view.answeredMs !== null && view.phase !== 'ended' && <Clock fromMs={view.answeredMs} />}
      </p>
      <p role="status">{stateText(view, t)}</p>
      <Actions {...{ phone, call, view, mayHold }} />
      {isTalking && <Talking call={call} keys={view.keys} />}
    </div>
  );
}

/** What is left out of a phone that was made small. */
function Talking({ call, keys }: { readonly call: PhoneCall; readonly keys: string }) {
  const { t } = useWords();
  const isOnMap = useRoute().parts[0] === 'map';
  return (
    <div className="dock-talking">
      <Meters call={call} detailed />
      <Keypad label={t('dock.keypad')} onKey={(key) => call.press(key)} />
      {keys !== '' && <output className="dock-pressed">{keys}</output>}
      {!isOnMap && <Link to="/map">{t('dock.onMap')}</Link>}
      <details>
        <summary>{t('phone.devices')}</summary>
        <DeviceFields
          onChange={(use) => void (use === 'microphone' ? call.changeMicrophone() : call.route())}
        />
      </details>
    </div>
  );
}

function stateText({ phase, isHeld, isLost, end, direction }: CallView, t: Words['t']): string {
  if (phase === 'ended') {
    if (end?.fault) return t(`phone.fault.${end.fault}`);
    if (end?.by === 'network') return t('dock.ended.network');
    return end?.status != null && end.status >= 300
      ? t('dock.ended.refused', { status: end.status })
      : t('dock.ended');
  }
  if (isLost) return t('phone.connection.lost');
  if (phase === 'talking') return t(isHeld ? 'dock.held' : 'dock.talking');
  return t(direction === 'in' ? 'dock.ringing' : 'dock.calling');
}

function Actions({ phone, call, view, mayHold }: CallCardProps) {
  const { t } = useWords();
  if (view.phase === 'ended') return null;
  if (view.phase === 'ringing')
    return (
      <div className="dock-actions">
        <Button kind="primary" icon="phone" onClick={() => void phone.answer(call)}>
          {t('dock.answer')}
        </Button>
        <Button kind="danger" icon="hangup" onClick={() => call.decline()}>
          {t('dock.decline')}
        </Button>
      </div>
    );
  return (
    <div className="dock-actions">
      {view.phase === 'talking' && (
        <Button icon="mute" aria-pressed={view.isMuted} onClick={() => call.mute(!view.isMuted)}>
          {t('dock.mute')}
        </Button>
      )}
      {view.phase === 'talking' && mayHold && (
        <Button
          icon="pause"
          aria-pressed={view.isHeld}
          onClick={() => void (view.isHeld ? phone.resume(call) : call.hold(true))}
        >
          {t('dock.hold')}
        </Button>
      )}
      <Button kind="danger" icon="hangup" onClick={() => call.hangUp()}>
        {t('dock.hangUp')}
      </Button>
    </div>
  );
}

function Clock({ fromMs }: { readonly fromMs: number }) {
  const { duration } = useWords();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{duration(Math.max(0, nowMs - fromMs))}</span>;
}

/** While it lasts, the map lights where the call is and how it came there. */
function useShownPath(call: PhoneCall, { phase }: CallView): void {
  const { calls } = useLive();
  const path = useRef(NO_WAY);
  const id = call.replaces?.split(';')[0] ?? null;
  const show = (next: typeof NO_WAY): void => {
    if (next === path.current) return;
    path.current = next;
    showPath(next);
  };
  const place = [...calls.values()].find(({ sip_call_id }) => sip_call_id === id)?.node ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` keeps nothing of a render
  useEffect(() => show(afterPlace(path.current, place)), [place]);
  useLiveEvents((type, { call: about, ...details }) => {
    const { sip_call_id } = (about ?? {}) as { readonly sip_call_id?: unknown };
    if (type === 'call.option' && id !== null && sip_call_id === id) show(afterOption(path.current, details));
  });
  useEffect(() => {
    if (phase === 'ended') showPath(null);
  }, [phase]);
  useEffect(() => () => showPath(null), []);
}

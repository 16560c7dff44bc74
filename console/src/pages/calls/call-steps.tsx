// Each step of a call with its time, prompt, keys and their DTMF source.
import { useMemo, useState } from 'react';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { IconButton } from '../../kit/button.tsx';
import { Player } from '../../kit/player.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type Key, keysOfSteps, type Step } from './key-sources.ts';
import { NamedLink } from './named-link.tsx';
import { stepTone, withNames } from './step-text.ts';

interface Props {
  /** What agents were called at the time, by eid: they may have been deleted since. */
  readonly agentName: (eid: string) => string | undefined;
  readonly steps: readonly Step[];
  readonly keys: readonly Key[];
}

export function CallSteps({ agentName, steps, keys }: Props) {
  const { t } = useWords();
  const pressed = useMemo(() => keysOfSteps(steps, keys), [steps, keys]);
  return (
    <section className="card">
      <h2>{t('call.steps')}</h2>
      {steps.length === 0 ? (
        <p>{t('call.steps.none')}</p>
      ) : (
        <ol className="calls-steps">
          {steps.map((step, index) => (
            <OneStep
              // Steps have no ids and never change their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={index}
              {...{ agentName, step }}
              pressed={pressed[index] ?? null}
              before={steps[index - 1]}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface StepProps extends Pick<Props, 'agentName'> {
  readonly step: Step;
  readonly pressed: Key | null;
  readonly before: Step | undefined;
}

function OneStep({ agentName, step, pressed, before }: StepProps) {
  const { t } = useWords();
  const names = useNames();
  const former = (reference: string): string | undefined => {
    const { kind, id } = splitReference(reference);
    return kind === 'extension' ? agentName(id) : undefined;
  };
  const nameOf = (reference: string): string => {
    const { name, missing } = names(reference);
    return missing ? (former(reference) ?? name) : name;
  };
  // The node is shown at the first step there.
  const place = step.node && step.node !== before?.node ? step.node : null;
  return (
    <li className={`calls-step calls-step-${stepTone(step.code)}`} data-code={step.code}>
      <SinceStart ms={step.at_ms} />
      <div className="calls-step-body">
        <p>
          {step.keys !== undefined && <kbd>{step.keys}</kbd>} {withNames(step.text, nameOf)}
        </p>
        {pressed && <p className="field-hint">{t(`call.key.${pressed.source}`)}</p>}
        {place && (
          <p className="field-hint">
            <NamedLink reference={place} former={former(place)} />
          </p>
        )}
        {step.recording !== undefined && <Prompt id={step.recording.replace(/^recording\|\|/, '')} />}
      </div>
    </li>
  );
}

/** The audio is loaded only when opened. */
function Prompt({ id }: { readonly id: string }) {
  const { t } = useWords();
  const { items } = useRecords('recording');
  const [open, setOpen] = useState(false);
  const known = items.find((recording) => String(recording.id) === id);
  if (!known) return null;
  return (
    <div className="calls-prompt">
      <span>
        <IconButton
          icon={open ? 'close' : 'listen'}
          label={t(open ? 'call.step.quiet' : 'call.step.hear', { name: known.name })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <Link to={pathTo('recordings', id)}>{known.name}</Link>
      </span>
      {open && <Player src={recordingAudioUrl(id)} label={known.name} />}
    </div>
  );
}

/** Seconds, with one decimal for steps and three for SIP messages. */
export function SinceStart({ ms, digits = 1 }: { readonly ms: number; readonly digits?: number }) {
  const { t, language } = useWords();
  const format = useMemo(
    () =>
      new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        signDisplay: 'negative',
      }),
    [language, digits],
  );
  return <span className="calls-at">{t('call.seconds', { value: format.format(ms / 1000) })}</span>;
}

// How the service runs: mail, SMS, speech and network. What the environment fixes is shown as fixed, the rest can be set; mail and SMS
// can be tried.
import { type FormEvent, useState } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useMay } from '../../data/may.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { ChangeDialog, type Group, type Variable as VariableProps } from './change-dialog.tsx';
import { variableKey } from './variables.ts';
import './service.css';

type Configuration = Operations['getConfiguration']['answer'];
const GROUPS: readonly Group[] = ['mail', 'sms', 'speech', 'network'];
const isPending = ({ variables }: Configuration[Group]): boolean =>
  variables.some(({ pending_restart }) => pending_restart);

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.getConfiguration({ signal }), []);
  return (
    <Frame title={t('service.title')} intro={t('service.intro')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && GROUPS.some((group) => isPending(value[group])) && (
        <Notice tone="warn">{t('service.pending.some')}</Notice>
      )}
      {value && GROUPS.map((group) => <Part key={group} group={group} of={value[group]} onSaved={again} />)}
    </Frame>
  );
}

interface PartProps {
  readonly group: Group;
  readonly of: Configuration[Group];
  readonly onSaved: () => void;
}

function Part({ group, of, onSaved }: PartProps) {
  const { t } = useWords();
  const { ready, variables } = of;
  return (
    <section className="card service-part" aria-labelledby={`service-${group}`}>
      <h2 id={`service-${group}`}>
        {t(`service.${group}`)}{' '}
        <Badge tone={ready ? 'good' : 'neutral'}>{t(ready ? 'service.ready' : 'service.off')}</Badge>
        {isPending(of) && <Badge tone="warn">{t('service.pending.badge')}</Badge>}
      </h2>
      <dl className="service-variables">
        {variables.map((variable) => (
          <Variable key={variable.name} {...variable} />
        ))}
      </dl>
      {!ready && !isPending(of) && group !== 'network' && (
        <p className="service-note">{t(`service.${group}.how`)}</p>
      )}
      {group !== 'speech' && <Change group={group} variables={variables} onSaved={onSaved} />}
      {group === 'mail' && ready && <TryMail />}
      {group === 'sms' && ready && <TrySms />}
    </section>
  );
}

interface ChangeProps extends Pick<PartProps, 'onSaved'> {
  readonly group: Exclude<Group, 'speech'>;
  readonly variables: readonly VariableProps[];
}

/** Not offered where the environment fixes all, or the role may not. */
function Change({ group, variables, onSaved }: ChangeProps) {
  const { t } = useWords();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const free = variables.filter(({ locked }) => locked === null);
  if (free.length === 0 || !may('patchConfiguration')) return null;
  return (
    <div className="service-actions">
      <Button onClick={() => setOpen(true)}>{t(`service.change.${group}`)}</Button>
      {isOpen && (
        <ChangeDialog group={group} variables={free} onSaved={onSaved} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

function Variable(variable: VariableProps) {
  const { t } = useWords();
  const { name, value, source, secret, locked, next_value, pending_restart } = variable;
  const key = variableKey(name);
  return (
    <div className="service-variable">
      <dt>
        {key === null ? name : t(key)} <code>{name}</code>
      </dt>
      <dd>
        <bdi>{value ?? t('service.none')}</bdi>
        <small>
          {t(SOURCES[source])}
          {secret && ` ${t('service.secret')}`}
          {locked !== null && locked !== 'environment' && ` ${t(`service.locked.${locked}`)}`}
        </small>
        {pending_restart && (
          <small className="service-pending">
            {t('service.pending', { value: next_value ?? t('service.none') })}
          </small>
        )}
      </dd>
    </div>
  );
}

const SOURCES = {
  environment: 'service.fixed',
  stored: 'service.stored',
  default: 'service.default',
} as const;

interface TryProps {
  readonly label: string;
  readonly button: string;
  readonly type: 'email' | 'tel';
  readonly send: (to: string) => Promise<unknown>;
  readonly sent: (to: string) => string;
}

function Try({ label, button, type, send: request, sent }: TryProps) {
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [to, setTo] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await send(async () => {
      await request(to.trim());
      toast(sent(to.trim()));
    });
  };
  return (
    <form className="service-try" noValidate onSubmit={(event) => void submit(event)}>
      <TextField type={type} label={label} value={to} onChange={setTo} fault={faults.at('/to')} />
      <Button type="submit" busy={busy} disabled={to.trim() === ''}>
        {button}
      </Button>
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
    </form>
  );
}

function TryMail() {
  const { t } = useWords();
  return (
    <Try
      type="email"
      label={t('service.tryMail.to')}
      button={t('service.tryMail')}
      send={(to) => client.sendTestMail({ body: { to } })}
      sent={(to) => t('service.try.sent', { to })}
    />
  );
}

function TrySms() {
  const { t } = useWords();
  return (
    <Try
      type="tel"
      label={t('service.trySms.to')}
      button={t('service.trySms')}
      send={(to) => client.createSms({ body: { to, text: t('service.trySms.text') } })}
      sent={(to) => t('service.try.sent', { to })}
    />
  );
}

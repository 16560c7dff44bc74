import { useEffect } from 'react';
import type { TrunkWithWarnings } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { CheckField, NumberField, SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { type DraftOf, forced, orNull, type RecordForm, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { linesOf, type PrefixRule } from './rules.ts';
import { RulesField } from './rules-field.tsx';

const REFRESH_MS = 5000;
const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

const NO_RULES: readonly PrefixRule[] = [];
const FRESH = {
  name: '',
  host: '',
  port: 0,
  transport: 'udp',
  enabled: true,
  username: '',
  password: '',
  forget: false,
  register: false,
  addresses: '',
  inbound_numbers: '',
  outbound_prefixes: NO_RULES,
  agents_may_call: false,
  caller_id: '',
  max_calls: 10,
};
type Draft = DraftOf<typeof FRESH>;

const draftOf = (trunk: TrunkWithWarnings): Draft => ({
  name: trunk.name,
  host: trunk.host,
  port: trunk.port,
  transport: trunk.transport,
  enabled: trunk.enabled,
  username: trunk.username ?? '',
  password: '',
  forget: false,
  register: trunk.register,
  addresses: (trunk.addresses ?? []).join('\n'),
  inbound_numbers: trunk.inbound_numbers.join('\n'),
  outbound_prefixes: trunk.outbound_prefixes,
  agents_may_call: trunk.agents_may_call,
  caller_id: trunk.caller_id ?? '',
  max_calls: trunk.max_calls,
});

function bodyOf({ password, forget, ...draft }: Draft) {
  const addresses = linesOf(draft.addresses);
  return {
    ...draft,
    transport: TRANSPORTS.find((each) => each === draft.transport) ?? null,
    username: orNull(draft.username),
    // Absent keeps the stored one, empty removes it.
    ...(forget ? { password: '' } : password === '' ? {} : { password }),
    addresses: addresses.length === 0 ? null : addresses,
    inbound_numbers: linesOf(draft.inbound_numbers),
    outbound_prefixes: draft.outbound_prefixes.map(({ prefix, strip, add }) => ({
      prefix: prefix.trim(),
      strip: strip ?? 0,
      add: add.trim(),
    })),
    caller_id: orNull(draft.caller_id),
  };
}

type Form = RecordForm<TrunkWithWarnings, Draft>;

export function EditTrunk({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form: Form = useRecordForm<TrunkWithWarnings, Draft>({
    kind: 'trunk',
    id,
    fresh: FRESH,
    read: (one) => client.getTrunk({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createTrunk({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putTrunk({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteTrunk({ params: { id: one }, query: forced(force) }),
    pointerOf: ({ code }) =>
      code === 'key_taken' ? '/name' : code === 'address_taken' ? '/addresses' : null,
  });
  return (
    <RecordPage form={form}>
      <Warnings form={form} />
      {id !== null && form.record && <State id={id} version={form.record.version} />}
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextField {...hinted('trunks.host')} {...form.field('host')} required />
        <div className="records-columns">
          <SelectField
            {...hinted('trunks.transport')}
            {...form.field('transport')}
            options={TRANSPORTS.map((value) => ({ value, label: value.toUpperCase() }))}
          />
          <NumberField {...hinted('trunks.port')} {...form.field('port')} min={0} max={65535} />
        </div>
        <SwitchField {...hinted('trunks.enabled')} {...form.field('enabled')} />
      </Section>
      <SignIn form={form} />
      <Section title={t('trunks.incoming')}>
        <TextArea {...hinted('trunks.addresses')} {...form.field('addresses')} />
        <TextArea {...hinted('trunks.inbound')} {...form.field('inbound_numbers')} />
      </Section>
      <Section title={t('trunks.outgoing')}>
        <RulesField {...form.field('outbound_prefixes')} faultAt={form.faultAt} />
        <TextField {...hinted('trunks.callerId')} {...form.field('caller_id')} inputMode="tel" />
        <NumberField {...hinted('trunks.maxCalls')} {...form.field('max_calls')} min={1} />
        <SwitchField {...hinted('trunks.agents')} {...form.field('agents_may_call')} />
      </Section>
    </RecordPage>
  );
}

/** The registration state, such as a refused password. */
function State({ id, version }: { readonly id: string; readonly version: number }) {
  const { t } = useWords();
  const { value, again } = useAsk(
    (signal) => client.getTrunkState({ params: { id }, signal }),
    [id, version],
  );
  useEffect(() => {
    const timer = setInterval(again, REFRESH_MS);
    return () => clearInterval(timer);
  }, [again]);
  if (!value) return null;
  const words = { true: 'trunks.registered', false: 'trunks.unregistered', null: 'trunks.notAsked' } as const;
  return (
    <Notice tone={value.problem === null ? 'good' : 'warn'}>
      <p role="status">
        {t(words[`${value.registered}`])} {t('trunks.calls', { count: value.calls })}
      </p>
      {value.problem !== null && <p>{value.problem}</p>}
    </Notice>
  );
}

function Warnings({ form }: { readonly form: Form }) {
  const { t } = useWords();
  const warnings = form.record?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>{t('records.warnings')}</strong>
      {warnings.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
    </Notice>
  );
}

function SignIn({ form }: { readonly form: Form }) {
  const { t, hinted } = useWords();
  const stored = form.record?.has_password ?? false;
  return (
    <Section title={t('trunks.signIn')}>
      <SwitchField {...hinted('trunks.register')} {...form.field('register')} />
      <div className="records-columns">
        <TextField label={t('trunks.username')} {...form.field('username')} autoComplete="off" />
        <TextField
          label={t('trunks.password')}
          hint={t(stored ? 'trunks.password.kept' : 'trunks.password.hint')}
          {...form.field('password')}
          type="password"
          autoComplete="new-password"
        />
      </div>
      {stored && (
        <CheckField label={t('trunks.password.remove')} {...form.field('forget', '/password-forget')} />
      )}
    </Section>
  );
}

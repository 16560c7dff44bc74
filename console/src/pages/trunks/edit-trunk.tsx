import type { TrunkWithWarnings } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useTrunkStates } from '../../data/live.ts';
import { CheckField, NumberField, SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { Warnings } from '../records/warnings.tsx';
import { formatsIn, TRANSPORTS } from './choices.ts';
import { PresetChoice } from './preset-choice.tsx';
import { ProviderDetails } from './provider-details.tsx';
import { RulesField } from './rules-field.tsx';
import { useTrunkReason } from './trunk-badge.tsx';
import { bodyOf, draftOf, FRESH, type TrunkDraft, type TrunkForm } from './trunk-draft.ts';

export function EditTrunk({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form: TrunkForm = useRecordForm<TrunkWithWarnings, TrunkDraft>({
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
      <Warnings warnings={form.record?.warnings} />
      {id !== null && form.record && <State id={id} />}
      {id === null && <PresetChoice form={form} />}
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
        {form.draft.register && (
          <SwitchField {...hinted('trunks.byRegistration')} {...form.field('inbound_by_registration')} />
        )}
        <TextArea {...hinted('trunks.addresses')} {...form.field('addresses')} />
        <SelectField
          {...hinted('trunks.inboundFormat')}
          {...form.field('inbound_format')}
          options={formatsIn(t)}
        />
        <TextArea {...hinted('trunks.inbound')} {...form.field('inbound_numbers')} />
      </Section>
      <Section title={t('trunks.outgoing')}>
        <RulesField {...form.field('outbound_prefixes')} faultAt={form.faultAt} />
        <SelectField
          {...hinted('trunks.outboundFormat')}
          {...form.field('outbound_format')}
          options={formatsIn(t)}
        />
        <TextField {...hinted('trunks.callerId')} {...form.field('caller_id')} inputMode="tel" />
        <NumberField {...hinted('trunks.maxCalls')} {...form.field('max_calls')} min={1} />
        <SwitchField {...hinted('trunks.agents')} {...form.field('agents_may_call')} />
      </Section>
      <ProviderDetails form={form} />
    </RecordPage>
  );
}

/** The registration state, such as a refused password. */
function State({ id }: { readonly id: string }) {
  const { t } = useWords();
  const reason = useTrunkReason();
  const value = useTrunkStates()?.get(id);
  if (!value) return null;
  const words = { true: 'trunks.registered', false: 'trunks.unregistered', null: 'trunks.notAsked' } as const;
  const isWell = value.problem === null && value.reachable !== false;
  return (
    <Notice tone={isWell ? 'good' : 'warn'}>
      <p role="status">
        {t(words[`${value.registered}`])} {t('trunks.calls', { count: value.calls })}
      </p>
      {value.hosts.map(({ host, address, port, reachable, latency_ms: ms }) => (
        <p key={`${address} ${port} ${host}`}>
          {t(reachable ? 'trunks.answers' : 'trunks.silent', {
            host: address === '' || address === host ? host : `${host} (${address})`,
            ms: ms ?? 0,
          })}
        </p>
      ))}
      {value.problem !== null && <p>{reason(value.problem)}</p>}
    </Notice>
  );
}

function SignIn({ form }: { readonly form: TrunkForm }) {
  const { t, hinted } = useWords();
  const stored = form.record?.has_password ?? false;
  return (
    <Section title={t('trunks.signIn')}>
      <SwitchField {...hinted('trunks.register')} {...form.field('register')} />
      <div className="records-columns">
        <TextField label={t('trunks.username')} {...form.field('username')} autoComplete="off" />
        <TextField {...hinted('trunks.authUsername')} {...form.field('auth_username')} autoComplete="off" />
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

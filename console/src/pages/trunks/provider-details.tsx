import { SRTP_MODES } from '../../../../src/kinds/trunk-choices.ts';
import { NumberField, SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';
import { FROM_USERS, IDENTITY_HEADERS } from './choices.ts';
import type { TrunkForm } from './trunk-draft.ts';

/** What some providers ask for, and most do not. */
export function ProviderDetails({ form }: { readonly form: TrunkForm }) {
  const { t, hinted } = useWords();
  return (
    <Section title={t('trunks.details')}>
      <SelectField
        {...hinted('trunks.srtp')}
        {...form.field('srtp')}
        options={SRTP_MODES.map((value) => ({ value, label: t(`trunks.srtp.${value}`) }))}
      />
      <TextField {...hinted('trunks.proxy')} {...form.field('outbound_proxy')} />
      <TextArea {...hinted('trunks.backups')} {...form.field('backup_hosts')} />
      <NumberField {...hinted('trunks.keepalive')} {...form.field('keepalive_seconds')} min={0} max={3600} />
      <TextField {...hinted('trunks.fromDomain')} {...form.field('from_domain')} />
      <SelectField
        {...hinted('trunks.fromUser')}
        {...form.field('from_user')}
        options={FROM_USERS.map((value) => ({ value, label: t(`trunks.fromUser.${value}`) }))}
      />
      <SelectField
        {...hinted('trunks.identity')}
        {...form.field('identity_header')}
        options={IDENTITY_HEADERS.map((value) => ({ value, label: t(`trunks.identity.${value}`) }))}
      />
    </Section>
  );
}

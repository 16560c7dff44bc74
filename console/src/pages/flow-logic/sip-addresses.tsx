// SIP addresses: places of a call that ring a SIP address elsewhere.
import type { SipAddress } from '../../../../client/operations.ts';
import { MAX_SIP_HEADERS } from '../../../../src/kinds/sip-uri.ts';
import { client } from '../../data/client.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { type DraftOf, forced, orNull, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RowsField } from './rows-field.tsx';

export const Page = () => <Pages list={<SipAddresses />} edit={(id) => <EditSipAddress id={id} />} />;

function SipAddresses() {
  const { t } = useWords();
  return (
    <RecordList
      kind="sip_address"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'uri', label: t('sipAddresses.uri'), value: ({ uri }) => uri },
      ]}
    />
  );
}

interface Header {
  readonly name: string;
  readonly value: string;
}

const FRESH = {
  name: '',
  description: '',
  uri: 'sip:',
  username: '',
  password: '',
  headers: [] as readonly Header[],
  caller_id: '',
  ring_seconds: null as number | null,
  failover_destination: '',
};
type Draft = DraftOf<typeof FRESH>;

const draftOf = (address: SipAddress): Draft => ({
  name: address.name,
  description: address.description,
  uri: address.uri,
  username: address.username ?? '',
  password: '',
  headers: Object.entries(address.headers).map(([name, value]) => ({ name, value: String(value) })),
  caller_id: address.caller_id ?? '',
  ring_seconds: address.ring_seconds,
  failover_destination: address.failover_destination ?? '',
});

/** An empty password is not sent: what is stored stays. */
const bodyOf = ({ headers, password, ...draft }: Draft) => ({
  ...draft,
  username: orNull(draft.username),
  headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  caller_id: orNull(draft.caller_id),
  failover_destination: orNull(draft.failover_destination),
  ...(password === '' ? {} : { password }),
});

export function EditSipAddress({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<SipAddress, Draft>({
    kind: 'sip_address',
    id,
    fresh: FRESH,
    read: (one) => client.getSipAddress({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createSipAddress({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putSipAddress({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteSipAddress({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextField {...hinted('sipAddresses.uri')} {...form.field('uri')} required />
        <TextField {...hinted('sipAddresses.username')} {...form.field('username')} autoComplete="off" />
        <TextField
          {...hinted('sipAddresses.password')}
          {...form.field('password')}
          type="password"
          autoComplete="new-password"
        />
        <RowsField
          {...hinted('sipAddresses.headers')}
          {...form.field('headers')}
          fresh={{ name: 'X-', value: '' }}
          max={MAX_SIP_HEADERS}
          row={({ name, value }, change) => (
            <>
              <TextField
                label={t('sipAddresses.header')}
                value={name}
                onChange={(text) => change({ name: text })}
                fault={undefined}
              />
              <TextField
                label={t('flow-logic.value')}
                value={value}
                onChange={(text) => change({ value: text })}
                fault={form.faultAt(`/headers/${name}`)}
              />
            </>
          )}
        />
        <TextField {...hinted('sipAddresses.callerId')} {...form.field('caller_id')} />
        <NumberField {...hinted('sipAddresses.ring')} {...form.field('ring_seconds')} min={1} max={300} />
        <DestinationPicker {...hinted('sipAddresses.failover')} {...form.field('failover_destination')} />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}

import type { WebhookWithWarnings } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { CheckField, SwitchField, TextField } from '../../kit/field.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { forced, type RecordForm, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import type { Secret } from '../records/shown-once.tsx';
import { Warnings } from '../records/warnings.tsx';
import { Deliveries } from './deliveries.tsx';

const EVENTS = [
  'call.received',
  'call.menu_entered',
  'call.key',
  'call.option',
  'call.ringing',
  'call.answered',
  'call.one_way_audio',
  'call.party_replaced',
  'call.missed',
  'call.ended',
  'voicemail.received',
  'room.joined',
  'room.left',
  'call.recorded',
] as const;
type Event = (typeof EVENTS)[number];
const ALL_EVENTS: '*'[] = ['*'];

interface Draft {
  readonly name: string;
  readonly url: string;
  readonly all: boolean;
  readonly events: readonly Event[];
  readonly active: boolean;
}

const bodyOf = ({ name, url, all, events, active }: Draft) => ({
  name,
  url: url.trim(),
  events: all ? ALL_EVENTS : [...events],
  status: active ? ('active' as const) : ('paused' as const),
});

const draftOf = ({ name, url, events, status }: WebhookWithWarnings): Draft => ({
  name,
  url,
  all: events.includes('*'),
  events: EVENTS.filter((event) => events.includes(event)),
  active: status === 'active',
});

interface EditWebhookProps {
  readonly id: string | null;
  readonly onSecret: (secret: Secret) => void;
}

export function EditWebhook({ id, onSecret }: EditWebhookProps) {
  const { t, hinted } = useWords();
  const showSecret = (name: string, secret: string | undefined): void => {
    if (secret !== undefined)
      onSecret({ title: t('webhooks.secret.of', { name }), label: t('webhooks.secret'), text: secret });
  };
  const form = useRecordForm<WebhookWithWarnings, Draft>({
    kind: 'webhook',
    id,
    fresh: { name: '', url: '', all: true, events: [], active: true },
    read: (one) => client.getWebhook({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    async create(draft, idempotencyKey) {
      const made = await client.createWebhook({ body: bodyOf(draft), idempotencyKey });
      showSecret(draft.name, made.secret);
      return made;
    },
    put: (one, draft, ifMatch) => client.putWebhook({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    createsSecret: true,
    remove: (one, force) => client.deleteWebhook({ params: { id: one }, query: forced(force) }),
  });
  const { record } = form;
  return (
    <RecordPage
      form={form}
      actions={
        record && (
          <Renew
            disabled={form.dirty}
            webhook={record}
            showSecret={showSecret}
            onDone={() => void form.load()}
          />
        )
      }
      more={record && <Deliveries webhook={record.id} />}
    >
      <Warnings warnings={record?.warnings} />
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextField {...hinted('webhooks.url')} {...form.field('url')} type="url" required />
        <SwitchField {...hinted('webhooks.active')} {...form.field('active', '/status')} />
      </Section>
      <EventsField form={form} />
    </RecordPage>
  );
}

function EventsField({ form }: { readonly form: RecordForm<WebhookWithWarnings, Draft> }) {
  const { t } = useWords();
  const { events, all } = form.draft;
  const toggle = (event: Event, on: boolean) =>
    form.change({ events: EVENTS.filter((each) => (each === event ? on : events.includes(each))) });
  return (
    <Section title={t('webhooks.events')}>
      <SwitchField label={t('webhooks.events.all')} {...form.field('all', '/events')} />
      {!all && (
        <div className="records-columns">
          {EVENTS.map((event) => (
            <CheckField
              key={event}
              label={t(`webhooks.event.${event}`)}
              hint={event}
              value={events.includes(event)}
              onChange={(on) => toggle(event, on)}
            />
          ))}
        </div>
      )}
      {!all && events.length === 0 && <p className="records-quiet">{t('webhooks.events.none')}</p>}
    </Section>
  );
}

interface RenewProps {
  readonly disabled: boolean;
  readonly webhook: WebhookWithWarnings;
  readonly showSecret: (name: string, secret: string | undefined) => void;
  readonly onDone: () => void;
}

function Renew({ disabled, webhook, showSecret, onDone }: RenewProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const attempt = useAttempt();
  const { id, name } = webhook;
  const renew = async (): Promise<void> => {
    const question = { title: t('webhooks.secret.title', { name }), text: t('webhooks.secret.text') };
    if (!(await confirm({ ...question, action: t('webhooks.secret.new') }))) return;
    await attempt(async () => {
      showSecret(name, (await client.renewWebhookSecret({ params: { id } })).secret);
      onDone();
    });
  };
  return (
    <Button icon="key" disabled={disabled} onClick={() => void renew()}>
      {t('webhooks.secret.new')}
    </Button>
  );
}

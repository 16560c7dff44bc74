// Webhooks: the list, and the secret that outlives its form.
import { useState } from 'react';
import type { Webhook } from '../../../../client/operations.ts';
import { Badge } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { RecordList } from '../records/record-list.tsx';
import { type Secret, ShownOnce } from '../records/shown-once.tsx';
import { EditWebhook } from './edit-webhook.tsx';

export function Page() {
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      <Pages list={<Webhooks />} edit={(id) => <EditWebhook id={id} onSecret={setSecret} />} />
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function Webhooks() {
  const { t } = useWords();
  const events = ({ events: chosen }: Webhook) =>
    chosen.includes('*') ? t('webhooks.events.all') : t('webhooks.events.count', { count: chosen.length });
  const status = (webhook: Webhook) => t(`webhooks.status.${webhook.status}`);
  return (
    <RecordList
      kind="webhook"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'url', label: t('webhooks.url'), value: ({ url }) => url },
        { key: 'events', label: t('webhooks.events'), value: events },
        {
          key: 'status',
          label: t('records.status'),
          value: status,
          render: (webhook) => (
            <Badge tone={webhook.status === 'active' ? 'good' : 'warn'}>{status(webhook)}</Badge>
          ),
        },
      ]}
    />
  );
}

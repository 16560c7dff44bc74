import { useState } from 'react';
import type { Delivery } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';

const TONES: Readonly<Record<Delivery['state'], Tone>> = { waiting: 'warn', done: 'good', dead: 'bad' };

export function Deliveries({ webhook }: { readonly webhook: string }) {
  const { t, dateTime } = useWords();
  const toast = useToast();
  const [open, setOpen] = useState<Delivery | null>(null);
  const params = { id: webhook };
  const { value, error, again } = useAsk(
    (signal) => client.listDeliveries({ params, query: { limit: 200 }, signal }),
    [webhook],
  );
  const attempt = useAttempt();
  const send = async (work: () => Promise<string>): Promise<void> => {
    await attempt(async () => toast(await work()));
    again();
  };
  const ping = () =>
    send(async () => {
      await client.testWebhook({ params });
      return t('webhooks.tested');
    });
  const replay = (delivery: Delivery) =>
    send(async () => {
      const { replayed } = await client.replayWebhook({ params, body: { delivery: delivery.id } });
      return t('webhooks.replayed', { count: replayed });
    });
  const actions = (
    <div>
      <Button icon="arrow" onClick={() => void ping()}>
        {t('webhooks.test')}
      </Button>
      <Button onClick={again}>{t('webhooks.look')}</Button>
    </div>
  );
  return (
    <div className="records-more">
      <Section title={t('webhooks.deliveries')} actions={actions}>
        {error !== null && <Failure error={error} onAgain={again} />}
        {value === null && error === null && <Loading />}
        {value && (
          <Table
            label={t('webhooks.deliveries')}
            rows={value.data}
            rowKey={({ id }) => id}
            pageSize={10}
            empty={<p className="records-quiet">{t('webhooks.deliveries.none')}</p>}
            columns={[
              { key: 'type', label: t('webhooks.delivery.type'), value: ({ type }) => type },
              {
                key: 'at',
                label: t('webhooks.delivery.at'),
                value: ({ created_at }) => created_at,
                render: ({ created_at }) => dateTime(created_at),
              },
              {
                key: 'state',
                label: t('webhooks.delivery.state'),
                value: ({ state }) => t(`webhooks.state.${state}`),
                render: ({ state }) => <Badge tone={TONES[state]}>{t(`webhooks.state.${state}`)}</Badge>,
              },
              {
                key: 'attempts',
                label: t('webhooks.delivery.attempts'),
                value: ({ attempts }) => attempts,
                number: true,
              },
              {
                key: 'answer',
                label: t('webhooks.delivery.answer'),
                value: ({ last_status: status, error: why }) =>
                  why ?? (status === null ? '' : String(status)),
              },
            ]}
            actions={(delivery) => (
              <>
                <IconButton
                  icon="info"
                  label={t('webhooks.delivery.show', { type: delivery.type })}
                  onClick={() => setOpen(delivery)}
                />
                <IconButton
                  icon="redo"
                  label={t('webhooks.replay.this', { type: delivery.type })}
                  onClick={() => void replay(delivery)}
                />
              </>
            )}
          />
        )}
      </Section>
      {open && <Body webhook={webhook} delivery={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

interface BodyProps {
  readonly webhook: string;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

function Body({ webhook, delivery, onClose }: BodyProps) {
  const { t } = useWords();
  const { value, error, again } = useAsk(
    (signal) => client.getDelivery({ params: { id: webhook, delivery: delivery.id }, signal }),
    [webhook, delivery.id],
  );
  return (
    <Dialog title={t('webhooks.delivery.body', { type: delivery.type })} open onClose={onClose} wide>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className="records-block" tabIndex={0}>
          {JSON.stringify(value.body, null, 2)}
        </pre>
      )}
    </Dialog>
  );
}

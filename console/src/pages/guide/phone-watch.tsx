// Shows when a phone of an agent registers, by the live state.
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';

export function PhoneWatch({ eid, name }: { readonly eid: string; readonly name: string }) {
  const { t } = useWords();
  const { agents, connection } = useLive();
  const registered = agents.get(eid)?.phones.registered ?? 0;
  const { value: phones, error } = useAsk(
    (signal) => client.listPhones({ params: { eid }, signal }),
    [eid, registered],
  );
  const phone = phones?.[0];
  const failed = error !== null || connection === 'lost';
  return (
    <p role="status" className={phone ? 'guide-watch guide-watch-good' : 'guide-watch'}>
      <Icon name={phone ? 'check' : failed ? 'warn' : 'phone'} />
      <span>
        {phone
          ? t('guide.phone.here', { name, phone: phone.user_agent || t('guide.phone.unnamed') })
          : failed
            ? t('guide.phone.failed')
            : t('guide.phone.waiting', { name })}
      </span>
    </p>
  );
}

// The SIP settings of an agent's phones, and the registered phones.
import type { StampedAgent } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Failure } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { SipSettings } from '../guide/sip-settings.tsx';
import { Section } from '../records/record-page.tsx';

export function AgentPhones({ agent: { eid, intercom } }: { readonly agent: StampedAgent }) {
  const { t, dateTime } = useWords();
  const { value, error, again } = useAsk(
    (signal) => client.listPhones({ params: { eid }, signal }),
    [eid, intercom],
  );
  return (
    <Section title={t('agents.phone')} hint={t('agents.phone.text')}>
      <SipSettings intercom={intercom} />
      <h3 className="field-label">{t('agents.phones')}</h3>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value?.length === 0 && <p className="records-quiet">{t('agents.phones.none')}</p>}
      <ul className="records-list">
        {value?.map((phone, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two phones may have everything in common
          <li key={index} className="records-item">
            <span className="records-item-main">
              {phone.user_agent} <small className="records-quiet">{phone.address}</small>
            </span>
            <span className="records-quiet">
              {phone.reachable ? '' : `${t('agents.phones.unreachable')} · `}
              {t('agents.phones.until', { time: dateTime(phone.expires_at) })}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

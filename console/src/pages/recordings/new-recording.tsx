import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { asLeft, go, Link, pathTo, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { MakeRecording } from '../editor/make-recording.tsx';
import { Section } from '../records/record-page.tsx';
import { CopyRecording } from './copy-recording.tsx';

export function NewRecording() {
  const { t } = useWords();
  const copied = useRoute().query.get('copy');
  const made = (id: string): void => go(pathTo('recordings', id), { replace: true });
  return (
    <Page
      title={t('recordings.new')}
      intro={
        <Link to={asLeft('/recordings')} className="back-link">
          <Icon name="back" /> {t('records.back')}
        </Link>
      }
    >
      <Section>
        {copied === null ? <MakeRecording onMade={made} /> : <CopyRecording id={copied} onMade={made} />}
      </Section>
    </Page>
  );
}

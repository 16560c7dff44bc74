import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { asLeft, go, Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { MakeRecording } from '../editor/make-recording.tsx';
import { Section } from '../records/record-page.tsx';

export function NewRecording() {
  const { t } = useWords();
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
        <MakeRecording onMade={(id) => go(pathTo('recordings', id), { replace: true })} />
      </Section>
    </Page>
  );
}

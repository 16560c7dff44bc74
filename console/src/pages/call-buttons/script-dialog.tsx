// What a web page needs for a call button: the script tag, and a whole page as an example.
import { publicKey } from '../../../../src/domain/phone-session.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { Copyable, copyText } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import type { CallButton } from './saved-buttons.ts';
import { examplePage, scriptTag } from './script-tag.ts';

interface ScriptDialogProps {
  readonly button: CallButton;
  readonly onClose: () => void;
}

export function ScriptDialog({ button, onClose }: ScriptDialogProps) {
  const { t } = useWords();
  const toast = useToast();
  const key = publicKey(useSession().account?.id ?? '', button.key);
  const example = examplePage(location.origin, key);
  const copyExample = async (): Promise<void> => {
    const copied = await copyText(example);
    toast(t(copied ? 'kit.copied' : 'kit.copy.failed'), copied ? 'good' : 'bad');
  };
  return (
    <Dialog
      title={t('callButtons.script.of', { name: button.name || button.key })}
      open
      wide
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('kit.close')}
        </Button>
      }
    >
      <div className="call-button-script">
        <p>{t('callButtons.script.text')}</p>
        <Copyable text={scriptTag(location.origin, key)} label={t('callButtons.script')} />
        <p>{t('callButtons.script.https')}</p>
        <details>
          <summary>{t('callButtons.example')}</summary>
          <p>{t('callButtons.example.text', { origin: button.origins[0] ?? '' })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre tabIndex={0}>{example}</pre>
          <Button icon="copy" onClick={() => void copyExample()}>
            {t('callButtons.example.copy')}
          </Button>
        </details>
      </div>
    </Dialog>
  );
}

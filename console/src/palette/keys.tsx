// “?”: which keys there are.
import { useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { SwitchField } from '../kit/field.tsx';
import { SECTIONS } from '../routes.ts';
import { useWords } from '../words/words.tsx';
import { setSingleKeys, singleKeys } from './shortcuts.ts';
import './palette.css';

const control = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export function Keys({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const [on, setOn] = useState(singleKeys);
  return (
    <Dialog title={t('keys.title')} open onClose={onClose}>
      <div className="keys form">
        <section>
          <h3>{t('keys.everywhere')}</h3>
          <Rows
            rows={[
              [[control, 'K'], t('palette.title')],
              [['?'], t('keys.title')],
              [['/'], t('keys.search')],
              [['n'], t('keys.new')],
            ]}
          />
        </section>
        <section>
          <h3>{t('keys.go')}</h3>
          <Rows rows={SECTIONS.map(({ key, label }) => [['g', key], t(label)])} />
        </section>
        <section>
          <h3>{t('keys.map')}</h3>
          <Rows
            rows={[
              [['↑', '↓', '←', '→'], t('keys.map.move')],
              [['Enter'], t('palette.open')],
              [['+', '-', '0'], t('keys.map.zoom')],
            ]}
          />
        </section>
        <section>
          <h3>{t('keys.editor')}</h3>
          <Rows
            rows={[
              [[control, 'S'], t('kit.save')],
              [[control, 'Z'], t('keys.undo')],
              [[control, 'Y'], t('keys.redo')],
            ]}
          />
        </section>
        <SwitchField
          label={t('keys.single')}
          hint={t('keys.single.hint', { control })}
          value={on}
          onChange={(value) => {
            setSingleKeys(value);
            setOn(value);
          }}
        />
      </div>
    </Dialog>
  );
}

function Rows({ rows }: { readonly rows: readonly (readonly [keys: readonly string[], meaning: string])[] }) {
  return (
    <dl className="keys-list">
      {rows.map(([keys, meaning]) => (
        <div key={keys.join(' ')} className="keys-row">
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

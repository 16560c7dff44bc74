// The fields of a user, for an invitation and for a change.
import { manages, ROLES, type Role } from '../../../../src/domain/roles.ts';
import { useNames } from '../../data/names.ts';
import { useSession } from '../../data/session.tsx';
import type { Faults } from '../../kit/faults.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';

export interface UserDraft {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** '' is none. */
  readonly agent: string;
}

interface UserFieldsProps {
  readonly draft: UserDraft;
  readonly onChange: (draft: UserDraft) => void;
  readonly faults: Faults;
}

export function UserFields({ draft, onChange, faults }: UserFieldsProps) {
  const { t } = useWords();
  const own = useSession().account?.user?.role ?? null;
  const people = usePeopleOptions();
  const names = useNames();
  const roles = ROLES.filter((role) => manages(own, role));
  return (
    <>
      <TextField
        label={t('users.name')}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        fault={faults.at('/name')}
        required
      />
      <TextField
        label={t('users.email')}
        type="email"
        value={draft.email}
        onChange={(email) => onChange({ ...draft, email })}
        fault={faults.at('/email')}
        required
      />
      <SelectField
        label={t('users.role')}
        hint={t(`users.role.${draft.role}.hint`)}
        value={draft.role}
        onChange={(role) => onChange({ ...draft, role })}
        options={roles.map((role) => ({ value: role, label: t(`users.role.${role}`) }))}
        fault={faults.at('/role')}
      />
      <Picker
        label={t('users.agent')}
        hint={t('users.agent.hint')}
        value={draft.agent}
        onChange={(agent) => onChange({ ...draft, agent })}
        options={[{ value: '', label: t('users.agent.none') }, ...people]}
        // The agent may be deleted.
        also={(text) =>
          text !== '' && text === draft.agent
            ? [{ value: text, label: names(`extension||${text}`).name }]
            : []
        }
        fault={faults.at('/agent')}
      />
    </>
  );
}

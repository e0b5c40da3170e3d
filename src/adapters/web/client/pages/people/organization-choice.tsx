import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import field from '#console/parts/fields/text-field.module.css';
import styles from './people.module.css';
import { toggled } from './permission-choice.tsx';

const said = words.people;

interface OrganizationChoiceProps {
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  /** Null for all organizations of the partner, including future ones. */
  readonly chosen: readonly string[] | null;
  readonly error: string | null;
  readonly onChange: (chosen: readonly string[] | null) => void;
}

export function OrganizationChoice({ organizations, chosen, error, onChange }: OrganizationChoiceProps) {
  return (
    <>
      <Dropdown
        label={said.reach}
        value={chosen === null ? 'all' : 'some'}
        onChange={(reach) => onChange(reach === 'all' ? null : [])}
      >
        {optionsOf(said.reaches)}
      </Dropdown>
      {chosen !== null && (
        <fieldset className={form.options}>
          <legend>{said.someOrganizations}</legend>
          <div className={styles.choices}>
            {organizations.map(({ id, name }) => (
              <Checkbox
                key={id}
                isSelected={chosen.includes(id)}
                onChange={() => onChange(toggled(chosen, id))}
              >
                {name}
              </Checkbox>
            ))}
          </div>
          {error !== null && (
            <p role="alert" className={field.error}>
              {error}
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}

import { words } from '#console/app/words.ts';
import { namesById } from '#console/pages/lists/use-organizations.ts';
import type { Named } from '#console/parts/condition/listed-catalog.ts';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt } from '#console/parts/fields/form.tsx';
import field from '#console/parts/fields/text-field.module.css';
import { TextField } from '#console/parts/fields/text-field.tsx';
import type { DraftContent } from './draft/filter-draft.ts';
import styles from './filter-editor.module.css';

export interface FilterFieldsProps {
  readonly content: DraftContent;
  readonly owner: string | null;
  readonly organizations: readonly Named[];
  readonly isChecked: boolean;
  readonly fault: unknown;
  readonly onChange: (changes: Partial<DraftContent>) => void;
}

export function FilterFields(props: FilterFieldsProps) {
  const { content, owner, organizations, isChecked, fault, onChange } = props;
  const isSpread = organizations.length > 1;
  const isNameless = isChecked && content.name.trim() === '';
  const isHomeless = isChecked && content.orgId === null;
  return (
    <div className={styles.fields}>
      <TextField
        label={words.filters.name}
        value={content.name}
        onChange={(name) => onChange({ name })}
        autoFocus={owner === null && content.name === ''}
        error={isNameless ? words.filters.nameNeeded : faultAt(fault, 'name')}
      />
      {isSpread && owner === null && (
        <Dropdown
          label={words.filters.organization}
          value={content.orgId ?? ''}
          onChange={(orgId) => onChange({ orgId: orgId === '' ? null : orgId })}
          error={isHomeless ? words.filters.organizationNeeded : null}
        >
          {optionsOf({ '': words.filters.chooseOrganization, ...namesById(organizations) })}
        </Dropdown>
      )}
      {isSpread && owner !== null && (
        <p className={field.field}>
          <span className={field.label}>{words.filters.organization}</span>
          {organizations.find(({ id }) => id === owner)?.name}
        </p>
      )}
      <div className={styles.description}>
        <TextField
          label={words.filters.description}
          isMultiline
          value={content.description}
          onChange={(description) => onChange({ description })}
          error={faultAt(fault, 'description')}
        />
      </div>
    </div>
  );
}

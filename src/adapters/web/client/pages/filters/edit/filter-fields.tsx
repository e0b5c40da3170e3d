import { ApiError } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import type { FilterOwners, OwnerIds } from '#console/pages/filters/owners.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt } from '#console/parts/fields/form.tsx';
import field from '#console/parts/fields/text-field.module.css';
import { TextField } from '#console/parts/fields/text-field.tsx';
import type { DraftContent } from './draft/filter-draft.ts';
import styles from './filter-editor.module.css';

export interface FilterFieldsProps {
  readonly content: DraftContent;
  /** The fixed owner; null while the user can choose one. */
  readonly owner: OwnerIds | null;
  readonly owners: FilterOwners;
  readonly isChecked: boolean;
  readonly fault: unknown;
  readonly onChange: (changes: Partial<DraftContent>) => void;
}

export function FilterFields(props: FilterFieldsProps) {
  const { content, owner, owners, isChecked, fault, onChange } = props;
  const { choices, titleOf } = owners;
  const isPlural = Object.keys(choices).length > 1;
  const isNameless = isChecked && content.name.trim() === '';
  const isHomeless = isChecked && content.orgId === null && content.partnerId === null;
  return (
    <div className={styles.fields}>
      <TextField
        label={words.filters.name}
        value={content.name}
        onChange={(name) => onChange({ name })}
        autoFocus={owner === null && content.name === ''}
        error={isNameless ? words.filters.nameNeeded : faultAt(fault, 'name')}
      />
      {isPlural && owner === null && (
        <OwnerField owners={owners} owner={content} isMissing={isHomeless} onChange={onChange} />
      )}
      {isPlural && owner !== null && (
        <p className={field.field}>
          <span className={field.label}>{words.filters.owner}</span>
          {titleOf(owner)}
        </p>
      )}
      {content.partnerId !== null && (
        <p className={`soft ${styles.description}`}>
          {words.filters.whoSees} {owners.orgIdsOf(content) !== null && words.filters.countsMore}
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

interface OwnerFieldProps {
  readonly owners: FilterOwners;
  readonly owner: OwnerIds;
  readonly isMissing: boolean;
  readonly onChange: (owner: OwnerIds) => void;
}

export function OwnerField({ owners: { choices, idsOf }, owner, isMissing, onChange }: OwnerFieldProps) {
  return (
    <Dropdown
      label={words.filters.owner}
      value={owner.orgId ?? owner.partnerId ?? ''}
      onChange={(chosen) => onChange(idsOf(chosen))}
      error={isMissing ? words.filters.ownerNeeded : null}
    >
      {optionsOf({ '': words.filters.chooseOwner, ...choices })}
    </Dropdown>
  );
}

export function SaveFault({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') return <ErrorNotice error={error} />;
  return (
    <Notice kind="error">
      <p>{words.filters.quota}</p>
      <p>{error.message}</p>
      <p>{words.filters.quotaWhatToDo}</p>
    </Notice>
  );
}

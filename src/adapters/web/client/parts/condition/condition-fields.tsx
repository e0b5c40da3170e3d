import { words } from '#console/app/words.ts';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { ANY_TITLE, findEntry } from '#domain/filter/catalog/field-catalog.ts';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import styles from './condition-fields.module.css';
import { titleIn, type WrittenCondition, withField, withOperator } from './condition-value.ts';
import type { Vocabulary } from './use-vocabulary.ts';
import { useKnownItems, ValueEditor } from './value-editor.tsx';

export interface ConditionFieldsProps<T extends WrittenCondition> {
  readonly condition: T;
  readonly vocabulary: Vocabulary;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly hasFocusAtFirst?: boolean;
  readonly onChange: (condition: T) => void;
}

export function ConditionFields<T extends WrittenCondition>(props: ConditionFieldsProps<T>) {
  const { condition, vocabulary, isInvalid, describedBy, hasFocusAtFirst = false, onChange } = props;
  const { catalog, fields } = vocabulary;
  const { operator } = condition;
  const title = titleIn(condition.field);
  const entry = title === '' ? ANY_TITLE : findEntry(catalog, condition.field);
  const field = entry?.kind === 'field' ? entry.field : null;
  const hasOperator = field?.operators.some((one) => one === operator) === true;
  return (
    <>
      <div className={styles.field}>
        <Combo
          label={words.filters.field}
          value={title !== null ? ANY_TITLE.field.key : condition.field === '' ? null : condition.field}
          valueText={condition.field}
          items={fields}
          placeholder={words.filters.chooseField}
          emptyText={words.filters.noField}
          hasFocusAtFirst={hasFocusAtFirst}
          isInvalid={isInvalid && field === null}
          describedBy={describedBy}
          onChange={(key) => {
            if (key === ANY_TITLE.field.key) {
              if (title === null)
                onChange({ ...withField(condition, ANY_TITLE.field), field: keyOfTitle('') });
              return;
            }
            const chosen = catalog.get(key);
            if (chosen?.kind === 'field' && key !== condition.field)
              onChange(withField(condition, chosen.field));
          }}
        />
      </div>
      {title !== null && (
        <div className={styles.field}>
          <TitleField
            title={title}
            isInvalid={isInvalid && title === ''}
            describedBy={describedBy}
            onChange={(name) => onChange({ ...condition, field: keyOfTitle(name) })}
          />
        </div>
      )}
      {field !== null && (
        <div className={styles.operator}>
          <Dropdown
            label={words.filters.operator}
            isLabelHidden
            value={operator}
            describedBy={describedBy}
            isInvalid={isInvalid && !hasOperator}
            onChange={(chosen) => {
              if (isOperator(chosen)) onChange(withOperator(condition, field, chosen));
            }}
          >
            {!hasOperator && <option value={operator}>{operator}</option>}
            {field.operators.map((one) => (
              <option key={one} value={one}>
                {words.filters.operators[one]}
              </option>
            ))}
          </Dropdown>
        </div>
      )}
      <div className={styles.value}>
        {field !== null && isOperator(operator) && (
          <ValueEditor
            field={field}
            operator={operator}
            value={condition.value}
            vocabulary={vocabulary}
            isInvalid={isInvalid}
            describedBy={describedBy}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
    </>
  );
}

interface TitleFieldProps {
  readonly title: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (title: string) => void;
}

function TitleField({ title, onChange, ...shared }: TitleFieldProps) {
  const { items, onType } = useKnownItems('software.installed');
  return (
    <Combo
      {...shared}
      label={words.filters.softwareTitle}
      value={title}
      items={items.filter(({ id }) => id !== title)}
      placeholder={words.filters.chooseTitle}
      onType={onType}
      onText={onChange}
      onChange={onChange}
    />
  );
}

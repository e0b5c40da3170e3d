import { words } from '#console/app/words.ts';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import styles from './condition-fields.module.css';
import { type WrittenCondition, withField, withOperator } from './condition-value.ts';
import type { Vocabulary } from './use-vocabulary.ts';
import { ValueEditor } from './value-editor.tsx';

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
  const entry = catalog.get(condition.field);
  const field = entry?.kind === 'field' ? entry.field : null;
  const hasOperator = field?.operators.some((one) => one === operator) === true;
  return (
    <>
      <div className={styles.field}>
        <Combo
          label={words.filters.field}
          value={condition.field === '' ? null : condition.field}
          valueText={condition.field}
          items={fields}
          placeholder={words.filters.chooseField}
          emptyText={words.filters.noField}
          hasFocusAtFirst={hasFocusAtFirst}
          isInvalid={isInvalid && field === null}
          describedBy={describedBy}
          onChange={(key) => {
            const chosen = catalog.get(key);
            if (chosen?.kind === 'field' && key !== condition.field)
              onChange(withField(condition, chosen.field));
          }}
        />
      </div>
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

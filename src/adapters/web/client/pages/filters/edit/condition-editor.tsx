import { words } from '#console/app/words.ts';
import { withField, withOperator } from '#console/pages/filters/tree/condition-value.ts';
import { changeNode, type DraftCondition } from '#console/pages/filters/tree/draft-tree.ts';
import { Combo } from '#console/parts/combo.tsx';
import { Dropdown } from '#console/parts/dropdown.tsx';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import { useBuilder } from './builder-context.ts';
import styles from './condition-editor.module.css';
import { NodeCount } from './node-count.tsx';
import { faultsId, NodeFaultList } from './node-faults.tsx';
import { RemoveButton } from './remove-button.tsx';
import { ValueEditor } from './value-editor.tsx';

/** A field, an operator that it takes, and a value that fits. */
export function ConditionEditor({ condition }: { readonly condition: DraftCondition }) {
  const { catalog, fields, notes, faults, change, addedId } = useBuilder();
  const { id, operator } = condition;
  const entry = catalog.get(condition.field);
  const field = entry?.kind === 'field' ? entry.field : null;
  const wrong = faults.get(id) ?? [];
  const isWrong = wrong.length > 0;
  const describedBy = isWrong ? faultsId(id) : undefined;
  const put = (next: DraftCondition) => change((tree) => changeNode(tree, id, () => next));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div
      role="group"
      aria-label={`${words.filters.condition}: ${field?.label ?? words.filters.chooseField}`}
      className={styles.condition}
    >
      <div className={styles.row}>
        <div className={styles.field}>
          <Combo
            label={words.filters.field}
            value={condition.field === '' ? null : condition.field}
            valueText={condition.field}
            items={fields}
            placeholder={words.filters.chooseField}
            emptyText={words.filters.noField}
            hasFocusAtFirst={addedId === id}
            isInvalid={isWrong && field === null}
            describedBy={describedBy}
            onChange={(key) => {
              const chosen = catalog.get(key);
              if (chosen?.kind === 'field' && key !== condition.field)
                put(withField(condition, chosen.field));
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
              isInvalid={isWrong && !field.operators.some((one) => one === operator)}
              onChange={(chosen) => {
                if (isOperator(chosen)) put(withOperator(condition, field, chosen));
              }}
            >
              {!field.operators.some((one) => one === operator) && (
                <option value={operator}>{operator}</option>
              )}
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
              isInvalid={isWrong}
              describedBy={describedBy}
              onChange={(value) => put({ ...condition, value })}
            />
          )}
        </div>
        <NodeCount note={notes.get(id)} />
        <RemoveButton id={id} />
      </div>
      <NodeFaultList id={id} messages={wrong} />
    </div>
  );
}

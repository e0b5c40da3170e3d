import { useEffect, useRef, useState } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { isGroup } from '#console/pages/explain/flatten-tree.ts';
import { Builder } from '#console/pages/filters/edit/builder/builder.tsx';
import { type DraftGroup, toDraft, toEvaluable, toJson } from '#console/pages/filters/tree/draft-tree.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ConditionFields } from '#console/parts/condition/condition-fields.tsx';
import { isUnfinished, type WrittenCondition } from '#console/parts/condition/condition-value.ts';
import { TextEditor } from '#console/parts/condition/editors.tsx';
import { useVocabulary, type Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { BARE_FIELDS } from '#domain/filter/text/parse/read-term.ts';
import { bareOperator, bareValue } from './describe-condition.ts';
import styles from './filter-field.module.css';

export interface ChipFormProps {
  readonly member: NodeJson;
  readonly text: string;
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
  /** Returns the fault, or null if the change was applied. */
  readonly onApply: (member: NodeJson) => string | null;
  readonly onNegate: () => void;
  readonly onRemove: () => void;
}

/** `onChange` gets null while the member is incomplete. */
export interface MemberFormProps<T> {
  readonly start: T;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (member: NodeJson | null) => void;
}

export function ChipForm({ member, text, anchor, onClose, onApply, onNegate, onRemove }: ChipFormProps) {
  const { vocabulary, error, retry } = useVocabulary();
  const [edited, setEdited] = useState<NodeJson | null>(member);
  const [fault, setFault] = useState<string | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  const isReady = vocabulary !== null;

  // The value gets the focus, because people open a chip to change it.
  useEffect(() => {
    if (!isReady) return;
    const inputs = fields.current?.querySelectorAll<HTMLElement>('input, select');
    [...(inputs ?? [])].at(isGroup(member) ? 0 : -1)?.focus();
  }, [isReady, member]);

  const shared = {
    isInvalid: fault !== null,
    describedBy: fault === null ? undefined : FAULT_ID,
    onChange: (next: NodeJson | null) => {
      setEdited(next);
      setFault(null);
    },
  };
  const bare = isGroup(member) ? bareValue(member) : null;
  const tree = isGroup(member) && bare === null ? toDraft(member) : null;
  return (
    <Popover
      className={`floating ${styles.popover} ${tree === null ? '' : styles.wide}`}
      triggerRef={{ current: anchor }}
      placement="bottom start"
      isOpen
      onOpenChange={onClose}
    >
      <Dialog aria-label={words.devices.chipForm(text)} className={styles.dialog}>
        <Form
          className={styles.form}
          onSubmit={() => setFault(edited === null ? words.devices.chipUnfinished : onApply(edited))}
        >
          <ErrorNotice error={error} onRetry={retry} />
          <div ref={fields} className={styles.fields}>
            {vocabulary === null ? (
              <Skeleton width="100%" />
            ) : !isGroup(member) ? (
              <LeafForm {...shared} start={member} vocabulary={vocabulary} />
            ) : bare !== null ? (
              <BareForm {...shared} start={{ operator: member.operator, text: bare }} />
            ) : (
              tree !== null && <GroupForm {...shared} start={tree} vocabulary={vocabulary} />
            )}
          </div>
          {fault !== null && (
            <div id={FAULT_ID}>
              <Notice kind="error">{fault}</Notice>
            </div>
          )}
          <div className={`row ${styles.actions}`}>
            <Button kind="quiet" onPress={onRemove}>
              {words.devices.chipRemove}
            </Button>
            <Button kind="quiet" onPress={onNegate}>
              {words.devices.chipNegate}
            </Button>
            <Button kind="primary" type="submit">
              {words.devices.chipApply}
            </Button>
          </div>
        </Form>
      </Dialog>
    </Popover>
  );
}

const FAULT_ID = 'chip-fault';

interface Bare {
  readonly operator: GroupOperator;
  readonly text: string;
}

function BareForm({ start, isInvalid, describedBy, onChange }: MemberFormProps<Bare>) {
  const [text, setText] = useState<unknown>(start.text);
  const operator = bareOperator(start.operator);
  const label = `${words.devices.anywhere} ${words.filters.operators[operator]}`;
  return (
    <>
      <span aria-hidden="true">{label}</span>
      <TextEditor
        label={label}
        value={text}
        isInvalid={isInvalid}
        describedBy={describedBy}
        onChange={(value) => {
          setText(value);
          const conditions = BARE_FIELDS.map((field) => ({ field, operator, value }));
          onChange(value === undefined ? null : { operator: start.operator, conditions });
        }}
      />
    </>
  );
}

function LeafForm(props: MemberFormProps<LeafJson> & { readonly vocabulary: Vocabulary }) {
  const { start, vocabulary, isInvalid, describedBy, onChange } = props;
  const [condition, setCondition] = useState<WrittenCondition>({ value: undefined, ...start });
  return (
    <ConditionFields
      condition={condition}
      vocabulary={vocabulary}
      isInvalid={isInvalid}
      describedBy={describedBy}
      onChange={(next) => {
        setCondition(next);
        onChange(toLeaf(next));
      }}
    />
  );
}

function toLeaf(condition: WrittenCondition): LeafJson | null {
  const { field, operator, value } = condition;
  if (isUnfinished(condition) || !isOperator(operator)) return null;
  return { field, operator, ...(value !== undefined && { value }) };
}

function GroupForm(props: MemberFormProps<DraftGroup> & { readonly vocabulary: Vocabulary }) {
  const { start, vocabulary, onChange } = props;
  const [tree, setTree] = useState(start);
  return (
    <Builder
      tree={tree}
      vocabulary={vocabulary}
      notes={null}
      faults={NO_FAULTS}
      onTree={(update) => {
        const next = update(tree);
        setTree(next);
        onChange(isWhole(next) ? (toJson(next) as NodeJson) : null);
      }}
      openText={null}
    />
  );
}

const NO_FAULTS = new Map();

function isWhole(tree: DraftGroup): boolean {
  const whole = toEvaluable(tree, isUnfinished);
  return whole !== null && JSON.stringify(whole.json) === JSON.stringify(toJson(tree));
}

import { useEffect, useRef, useState } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { isGroup } from '#console/pages/explain/is-group.ts';
import { toDraft } from '#console/pages/filters/tree/draft-tree.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { useVocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import type { NodeJson } from '#domain/filter/text/condition-json.ts';
import { BareForm } from './bare-form.tsx';
import styles from './chip-form.module.css';
import { bareValue } from './describe-condition.ts';
import { GroupForm } from './group-form.tsx';
import { LeafForm } from './leaf-form.tsx';

export interface ChipFormProps {
  readonly member: NodeJson;
  /** What the chip says. */
  readonly text: string;
  /** The chip that it hangs on. */
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
  /** Null where the member has taken the place of the one before; else what is wrong with it. */
  readonly onApply: (member: NodeJson) => string | null;
  readonly onNegate: () => void;
  readonly onRemove: () => void;
}

/** What each kind of form edits; null while that is unfinished. */
export interface MemberFormProps<T> {
  readonly start: T;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (member: NodeJson | null) => void;
}

/** A condition of the filter bar as a small form: the fields of the builder. */
export function ChipForm({ member, text, anchor, onClose, onApply, onNegate, onRemove }: ChipFormProps) {
  const { vocabulary, error, retry } = useVocabulary();
  const [edited, setEdited] = useState<NodeJson | null>(member);
  const [fault, setFault] = useState<string | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  const isReady = vocabulary !== null;

  // The value is what one comes for.
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
      className={`${styles.popover} ${tree === null ? '' : styles.wide}`}
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
          <div className={styles.actions}>
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

/** One form is open at a time. */
const FAULT_ID = 'chip-fault';

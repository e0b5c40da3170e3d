import { words } from '#console/app/words.ts';
import {
  changeNode,
  type DraftGroup,
  emptyCondition,
  emptyGroup,
  SHOWN_LEVELS,
} from '#console/pages/filters/tree/draft-tree.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { useBuilder, useFindings } from './builder-context.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { FoldedEditor } from './folded-editor.tsx';
import styles from './group-editor.module.css';
import { NodeCount } from './node-count.tsx';
import { NodeFaultList } from './node-faults.tsx';
import { RemoveButton } from './remove-button.tsx';

export interface GroupEditorProps {
  readonly group: DraftGroup;
  /** 1 for the root. */
  readonly level: number;
}

const NO_FAULTS: readonly string[] = [];

/** "Match all of" or "any of", and what it is of. */
export function GroupEditor({ group, level }: GroupEditorProps) {
  const { change, add } = useBuilder();
  const { notes, faults, addedId } = useFindings();
  const { id, operator, members } = group;
  const isRoot = level === 1;
  const matched = operator === 'AND' ? words.filters.matchAll : words.filters.matchAny;
  const wrong = members.length > 0 ? (faults.get(id) ?? []) : [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={`${words.filters.group}: ${matched}`} className={styles.group}>
      <div className={styles.head}>
        <Dropdown
          label={matched}
          isLabelHidden
          isCompact
          value={operator}
          onChange={(chosen) =>
            change((tree) =>
              changeNode(tree, id, (node) =>
                node.kind === 'group' ? { ...node, operator: chosen === 'OR' ? 'OR' : 'AND' } : node,
              ),
            )
          }
        >
          <option value="AND">{words.filters.matchAll}</option>
          <option value="OR">{words.filters.matchAny}</option>
        </Dropdown>
        <span className={styles.of}>{words.filters.of}</span>
        <NodeCount note={notes === null ? null : notes.get(id)} />
        {!isRoot && <RemoveButton id={id} />}
      </div>
      <NodeFaultList id={id} messages={wrong} />
      <ul className={styles.members}>
        {members.map((member) => (
          <li key={member.id}>
            {member.kind === 'group' && <GroupEditor group={member} level={level + 1} />}
            {member.kind === 'condition' && (
              <ConditionEditor
                condition={member}
                note={notes === null ? null : notes.get(member.id)}
                faults={faults.get(member.id) ?? NO_FAULTS}
                hasFocusAtFirst={addedId === member.id}
              />
            )}
            {member.kind === 'folded' && <FoldedEditor folded={member} />}
          </li>
        ))}
      </ul>
      {members.length === 0 && <p className={styles.empty}>{words.filters.emptyGroup}</p>}
      <div className={styles.add} data-adds="">
        <Button kind="quiet" isCompact onPress={() => add(id, emptyCondition())}>
          <Icon name="plus" />
          {words.filters.addCondition}
        </Button>
        {level < SHOWN_LEVELS && (
          <Button
            kind="quiet"
            isCompact
            onPress={() => add(id, emptyGroup(operator === 'AND' ? 'OR' : 'AND'))}
          >
            <Icon name="plus" />
            {words.filters.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

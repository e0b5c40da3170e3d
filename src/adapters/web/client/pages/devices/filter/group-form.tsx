import { useState } from 'react';
import {
  BuilderFindingsProvider,
  BuilderPartsProvider,
} from '#console/pages/filters/edit/builder/builder-context.ts';
import { GroupEditor } from '#console/pages/filters/edit/builder/group-editor.tsx';
import { addMember, type DraftGroup, toEvaluable, toJson } from '#console/pages/filters/tree/draft-tree.ts';
import { isUnfinished } from '#console/parts/condition/condition-value.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import type { NodeJson } from '#domain/filter/text/condition-json.ts';
import type { MemberFormProps } from './chip-form.tsx';

/** Conditions within each other: a small builder. */
export function GroupForm(props: MemberFormProps<DraftGroup> & { readonly vocabulary: Vocabulary }) {
  const { start, vocabulary, onChange } = props;
  const [tree, setTree] = useState(start);
  const [addedId, setAddedId] = useState<number | null>(null);
  const change = (update: (tree: DraftGroup) => DraftGroup) => {
    const next = update(tree);
    setTree(next);
    onChange(isWhole(next) ? (toJson(next) as NodeJson) : null);
  };
  return (
    <BuilderPartsProvider
      value={{
        vocabulary,
        change,
        add: (groupId, member) => {
          const [first] = member.kind === 'group' ? member.members : [member];
          setAddedId(first?.id ?? null);
          change((before) => addMember(before, groupId, member));
        },
        openText: null,
      }}
    >
      <BuilderFindingsProvider value={{ notes: null, faults: new Map(), addedId }}>
        <GroupEditor group={tree} level={1} />
      </BuilderFindingsProvider>
    </BuilderPartsProvider>
  );
}

/** Whether every condition is finished and no group is empty: nothing would be left out of it. */
function isWhole(tree: DraftGroup): boolean {
  const whole = toEvaluable(tree, isUnfinished);
  return whole !== null && JSON.stringify(whole.json) === JSON.stringify(toJson(tree));
}

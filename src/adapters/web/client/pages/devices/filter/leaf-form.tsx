import { useState } from 'react';
import { ConditionFields } from '#console/parts/condition/condition-fields.tsx';
import { isUnfinished, type WrittenCondition } from '#console/parts/condition/condition-value.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import type { LeafJson } from '#domain/filter/text/condition-json.ts';
import type { MemberFormProps } from './chip-form.tsx';

/** One condition. */
export function LeafForm(props: MemberFormProps<LeafJson> & { readonly vocabulary: Vocabulary }) {
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

import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { TextEditor } from '#console/parts/condition/text-editor.tsx';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import { BARE_FIELDS } from '#domain/filter/text/parse/read-term.ts';
import type { MemberFormProps } from './chip-form.tsx';
import { bareOperator } from './describe-condition.ts';

export interface Bare {
  readonly operator: GroupOperator;
  readonly text: string;
}

/** A text that some fields contain, or none of them. */
export function BareForm({ start, isInvalid, describedBy, onChange }: MemberFormProps<Bare>) {
  const [text, setText] = useState<unknown>(start.text);
  const operator = bareOperator(start.operator);
  const label = `${words.devices.anywhere} ${words.devices.operators[operator]}`;
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

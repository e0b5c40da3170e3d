import { useState } from 'react';
import { Input } from 'react-aria-components';
import { readNumber } from '#console/parts/condition/condition-value.ts';
import fieldStyles from '#console/parts/fields/text-field.module.css';
import type { TextEditorProps } from './text-editor.tsx';

/** A number; what is none is kept as it was typed, and is a fault. */
export function NumberEditor({ label, value, isInvalid, describedBy, onChange }: TextEditorProps) {
  // `1.` and `1.0` are both 1, and neither may be typed over while it is typed.
  const [typed, setTyped] = useState<string | null>(null);
  const given = value === undefined ? '' : String(value);
  const text = typed !== null && readNumber(typed) === value ? typed : given;
  return (
    <Input
      className={fieldStyles.input}
      aria-label={label}
      aria-describedby={describedBy}
      {...(isInvalid && { 'aria-invalid': true })}
      inputMode="decimal"
      value={text}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(readNumber(event.target.value));
      }}
    />
  );
}

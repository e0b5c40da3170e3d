import { Input } from 'react-aria-components';
import fieldStyles from '#console/parts/fields/text-field.module.css';

export interface TextEditorProps {
  readonly label: string;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** A text; emptied, it is to be given again. */
export function TextEditor({ label, value, isInvalid, describedBy, onChange }: TextEditorProps) {
  return (
    <Input
      className={fieldStyles.input}
      aria-label={label}
      aria-describedby={describedBy}
      {...(isInvalid && { 'aria-invalid': true })}
      spellCheck={false}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    />
  );
}

import { words } from '#console/app/words.ts';
import { TextField } from '#console/parts/fields/text-field.tsx';

export interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      {...props}
      label={words.signIn.code}
      autoComplete="one-time-code"
      hint={words.signIn.codeHint}
      isRequired
      autoFocus
    />
  );
}

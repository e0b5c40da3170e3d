import { words } from '#console/app/words.ts';
import { TextField } from '#console/parts/fields/text-field.tsx';

export interface NewPasswordFieldProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | null;
  readonly autoFocus?: boolean;
}

export function NewPasswordField(props: NewPasswordFieldProps) {
  return (
    <TextField
      {...props}
      label={words.links.newPassword}
      hint={words.links.newPasswordHint}
      type="password"
      autoComplete="new-password"
      isRequired
    />
  );
}

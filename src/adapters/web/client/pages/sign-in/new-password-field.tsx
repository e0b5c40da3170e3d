import { words } from '#console/app/words.ts';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { type PasswordLengthFault, passwordLengthFault } from '#domain/access/password.ts';

export interface NewPasswordFieldProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  /** Whether a wrong length is reported. */
  readonly isChecked: boolean;
  readonly autoFocus?: boolean;
  readonly isShown?: boolean;
  /** Why the API refused the password. */
  readonly refusal?: string | null;
}

export function NewPasswordField(given: NewPasswordFieldProps) {
  const { isChecked, isShown = false, refusal = null, ...props } = given;
  return (
    <TextField
      {...props}
      label={words.links.newPassword}
      hint={words.links.newPasswordHint}
      error={(isChecked ? passwordFault(props.value) : null) ?? refusal}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      isRequired
    />
  );
}

export function passwordFault(password: string): string | null {
  const fault = passwordLengthFault(password);
  return fault === null ? null : FAULTS[fault];
}

const FAULTS: Readonly<Record<PasswordLengthFault, string>> = {
  'too-short': words.links.passwordTooShort,
  'too-long': words.links.passwordTooLong,
};

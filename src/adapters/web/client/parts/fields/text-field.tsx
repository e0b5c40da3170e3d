import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import styles from './text-field.module.css';

export interface TextFieldProps extends AriaTextFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
  readonly error?: string | null;
  readonly isMultiline?: boolean;
}

export function TextField(given: TextFieldProps) {
  const { label, isLabelHidden = false, hint, error, isMultiline = false, ...props } = given;
  const className = `control ${styles.input}`;
  const isInvalid = error !== undefined && error !== null && error !== '';
  return (
    <AriaTextField {...props} isInvalid={isInvalid} className={styles.field}>
      <Label className={isLabelHidden ? 'visually-hidden' : styles.label}>{label}</Label>
      {isMultiline ? <TextArea className={className} rows={4} /> : <Input className={className} />}
      {hint !== undefined && !isInvalid && (
        <Text slot="description" className="note">
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>
        {({ validationErrors }) => <span role="alert">{error ?? validationErrors.join(' ')}</span>}
      </FieldError>
    </AriaTextField>
  );
}

import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';

export interface ButtonProps extends AriaButtonProps {
  /** At most one primary action stands on a page. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly isCompact?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = 'plain', isCompact = false, className, ...props }: ButtonProps) {
  const names = [styles.button, styles[kind], isCompact ? styles.compact : '', className ?? ''];
  return <AriaButton {...props} className={names.join(' ')} />;
}

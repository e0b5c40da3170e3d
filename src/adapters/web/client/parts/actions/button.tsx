import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';

export interface ButtonProps extends AriaButtonProps {
  /** At most one primary button per page. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly isCompact?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = 'plain',
  isCompact = false,
  isPending = false,
  className,
  ...props
}: ButtonProps) {
  const names = [styles.button, styles[kind], isCompact ? styles.compact : '', className ?? ''];
  return <AriaButton {...props} {...(isPending && WHILE_PENDING)} className={names.join(' ')} />;
}

/**
 * A pending button keeps the focus, unlike a disabled one. With React Aria's `isPending`, screen readers
 * would announce the button even after its page is closed.
 */
const WHILE_PENDING = {
  'aria-disabled': true,
  type: 'button',
  onPress: () => undefined,
} as const;

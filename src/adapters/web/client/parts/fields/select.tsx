import type { ReactNode } from 'react';
import {
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  type ListBoxItemProps,
  Popover,
  SelectValue,
} from 'react-aria-components';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './select.module.css';

export interface SelectProps extends Omit<AriaSelectProps<object>, 'children'> {
  /** Absent where `aria-label` names it. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** One of a few, all known. */
export function Select({ label, children, ...props }: SelectProps) {
  return (
    <AriaSelect {...props} className={styles.select}>
      {label !== undefined && <Label className={styles.label}>{label}</Label>}
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="down" />
      </Button>
      <Popover className={styles.popover}>
        <ListBox className={styles.list}>{children}</ListBox>
      </Popover>
    </AriaSelect>
  );
}

export function SelectItem(props: ListBoxItemProps & { readonly children: ReactNode }) {
  const { children } = props;
  return (
    <ListBoxItem
      {...props}
      {...(typeof children === 'string' && { textValue: children })}
      className={styles.item}
    />
  );
}

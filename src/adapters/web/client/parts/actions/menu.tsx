import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuProps as AriaMenuProps,
  MenuSection as AriaMenuSection,
  type MenuItemProps,
  Popover,
  type PopoverProps,
} from 'react-aria-components';
import styles from './menu.module.css';

export interface MenuProps
  extends AriaMenuProps<object>,
    Pick<PopoverProps, 'placement' | 'triggerRef' | 'isOpen' | 'onOpenChange'> {}

/** Pass `triggerRef` unless a `MenuTrigger` encloses the menu. */
export function Menu({ placement = 'bottom start', triggerRef, isOpen, onOpenChange, ...props }: MenuProps) {
  return (
    <Popover
      className={`floating ${styles.popover}`}
      placement={placement}
      {...(props['aria-label'] !== undefined && { 'aria-label': props['aria-label'] })}
      {...(triggerRef !== undefined && { triggerRef })}
      {...(isOpen !== undefined && { isOpen })}
      {...(onOpenChange !== undefined && { onOpenChange })}
    >
      <AriaMenu {...props} className={styles.menu} />
    </Popover>
  );
}

export function MenuItem(props: MenuItemProps) {
  const { children } = props;
  return (
    <AriaMenuItem
      {...props}
      {...(typeof children === 'string' && { textValue: children })}
      className={`option ${styles.item}`}
    />
  );
}

export const MenuSection = AriaMenuSection;

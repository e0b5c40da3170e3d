import { useRef } from 'react';
import { useUser } from '#console/app/user.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { useLazyPart } from '#console/parts/hooks/use-lazy-part.ts';
import styles from './user-menu.module.css';

const loadItems = () => import('./user-menu-items.tsx').then(({ UserMenuItems }) => UserMenuItems);

/** The button is named after the user (Contract: §14). */
export function UserMenu({ onSignOut }: { readonly onSignOut: () => void }) {
  const user = useUser();
  const button = useRef<HTMLButtonElement>(null);
  const { Part: Items, close, buttonProps } = useLazyPart('user-menu', loadItems);
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        aria-label={user.name}
        aria-haspopup="menu"
        className={styles.button}
        {...buttonProps}
      >
        {/* Drawn by CSS, so the initials are not part of the button's name. */}
        <span data-initials={initialsOf(user.name)} aria-hidden="true" />
      </Button>
      {Items !== null && <Items button={button} onClose={close} onSignOut={onSignOut} />}
    </>
  );
}

function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { ListBox, Popover } from 'react-aria-components';
import type { Organization } from '#console/api/types.ts';
import { words } from '#console/app/words.ts';
import { SelectItem } from '#console/parts/fields/select.tsx';
import styles from './organization-list.module.css';

const ALL = 'all';

export interface OrganizationListProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly organizations: readonly Organization[];
  /** An organization's id; null for all. */
  readonly chosen: string | null;
  readonly onClose: () => void;
}

/** The open list of organizations. */
export function OrganizationList({ button, organizations, chosen, onClose }: OrganizationListProps) {
  const navigate = useNavigate();
  return (
    <Popover
      className={styles.popover}
      triggerRef={button}
      placement="bottom start"
      isOpen
      onOpenChange={onClose}
      aria-label={words.shell.organization}
    >
      <ListBox
        aria-label={words.shell.organization}
        className={styles.list}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen ?? ALL]}
        autoFocus
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : keys;
          onClose();
          void navigate({
            to: '.',
            // Another organization's list begins with its first page.
            search: (search) =>
              ({ ...search, page: undefined, org: id === ALL ? undefined : String(id) }) as object,
          });
        }}
      >
        <SelectItem id={ALL}>{words.shell.allOrganizations}</SelectItem>
        {organizations.map(({ id, name }) => (
          <SelectItem key={id} id={id}>
            {name}
          </SelectItem>
        ))}
      </ListBox>
    </Popover>
  );
}

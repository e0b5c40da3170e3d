import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import {
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';
import type { Organization } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './organization-list.module.css';

const ALL = 'all';

export interface OrganizationListProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly organizations: readonly Organization[];
  readonly chosen: string | null;
  readonly onClose: () => void;
}

const SEARCHED_FROM = 9;

export function OrganizationList({ button, organizations, chosen, onClose }: OrganizationListProps) {
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const isSearched = organizations.length >= SEARCHED_FROM;
  const list = (
    <ListBox
      aria-label={words.shell.organization}
      className={styles.list}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen ?? ALL]}
      autoFocus={!isSearched}
      renderEmptyState={() => <p className={styles.empty}>{words.shell.noOrganizationCalled}</p>}
      onSelectionChange={(keys) => {
        const [id] = keys === 'all' ? [] : keys;
        onClose();
        void navigate({
          to: '.',
          // A page number is valid for only one organization.
          search: (search) =>
            ({ ...search, page: undefined, org: id === ALL ? undefined : String(id) }) as object,
        });
      }}
    >
      <ListBoxItem id={ALL} className={`option ${styles.item}`}>
        {words.shell.allOrganizations}
      </ListBoxItem>
      {organizations.map(({ id, name }) => (
        <ListBoxItem key={id} id={id} textValue={name} className={`option ${styles.item}`}>
          {name}
        </ListBoxItem>
      ))}
    </ListBox>
  );
  return (
    <Popover
      className={`floating ${styles.popover}`}
      triggerRef={button}
      placement="bottom start"
      isOpen
      onOpenChange={onClose}
      aria-label={words.shell.organization}
    >
      {isSearched ? (
        <Autocomplete filter={contains}>
          {/* Without this handler, the first Esc would only clear the field. */}
          <div onKeyDownCapture={({ key }) => key === 'Escape' && onClose()}>
            <SearchField aria-label={words.shell.findOrganization} autoFocus className={styles.search}>
              <Icon name="search" />
              <Input className="control" placeholder={words.shell.findOrganization} />
            </SearchField>
          </div>
          {list}
        </Autocomplete>
      ) : (
        list
      )}
    </Popover>
  );
}

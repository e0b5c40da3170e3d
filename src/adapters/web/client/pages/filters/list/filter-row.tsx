import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SavedFilter } from '#console/api/filter-types.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { textOfConditions } from '#console/pages/filters/tree/draft-text.ts';
import { Button } from '#console/parts/button.tsx';
import { Icon } from '#console/parts/icon.tsx';
import { Menu, MenuItem } from '#console/parts/menu.tsx';
import { messageOf } from '#console/parts/notice.tsx';
import { Time } from '#console/parts/time.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { exportFiltered } from './export-filtered.ts';
import { FilterCount } from './filter-count.tsx';
import styles from './filter-row.module.css';
import { useIsSeen } from './use-is-seen.ts';

export interface FilterRowProps {
  readonly filter: SavedFilter;
  readonly catalog: FieldCatalog;
  /** Null where all have the same. */
  readonly organization: string | null;
  readonly onDelete: () => void;
  /** Says on the page what was done. */
  readonly onSay: (message: string) => void;
}

/** A saved filter in the list. What it costs to show is done once it is seen. */
export function FilterRow({ filter, catalog, organization, onDelete, onSay }: FilterRowProps) {
  const api = useApi();
  const user = useUser();
  const navigate = useNavigate();
  const row = useRef<HTMLTableRowElement>(null);
  const isSeen = useIsSeen(row);
  const { id, name } = filter;
  const text = isSeen ? textOf(filter, catalog) : '';

  async function copy() {
    try {
      await navigator.clipboard.writeText(textOf(filter, catalog));
      onSay(words.filters.textCopied);
    } catch {
      onSay(words.filters.notCopied);
    }
  }

  async function exportAll() {
    onSay(words.filters.exporting(name));
    try {
      await exportFiltered(api, filter);
      onSay(words.filters.exported(name));
    } catch (error) {
      onSay(messageOf(error));
    }
  }

  return (
    <tr ref={row}>
      <td className={styles.name}>
        <Link to="/filters/$id" params={{ id }} title={filter.description ?? name}>
          {name}
        </Link>
      </td>
      {organization !== null && <td className={styles.wide}>{organization}</td>}
      <td className={styles.number}>
        <FilterCount filter={filter} isSeen={isSeen} />
      </td>
      <td className={`${styles.conditions} ${styles.wide}`}>
        <code title={text}>{text}</code>
      </td>
      <td className={styles.wide}>
        {filter.createdBy === user.id ? words.filters.you : words.filters.somebodyElse}
      </td>
      <td className={styles.wide}>
        <Time at={filter.updatedAt} />
      </td>
      <td className={styles.menu}>
        <MenuTrigger>
          <Button kind="quiet" isCompact aria-label={words.filters.actions(name)}>
            <Icon name="more" />
          </Button>
          <Menu placement="bottom end">
            <MenuItem onAction={() => void navigate({ to: '/filters/$id', params: { id } })}>
              {words.filters.open}
            </MenuItem>
            <MenuItem onAction={() => void navigate({ to: '/filters/new', search: { from: id } })}>
              {words.filters.duplicate}
            </MenuItem>
            <MenuItem onAction={() => void copy()}>{words.filters.copyText}</MenuItem>
            <MenuItem onAction={() => void exportAll()}>{words.filters.exportDevices}</MenuItem>
            <MenuItem onAction={onDelete}>{words.filters.remove}</MenuItem>
          </Menu>
        </MenuTrigger>
      </td>
    </tr>
  );
}

/** As text, or as JSON where text cannot say it, such as a field that is gone. */
function textOf({ conditions }: SavedFilter, catalog: FieldCatalog): string {
  return textOfConditions(conditions, catalog) ?? JSON.stringify(conditions);
}

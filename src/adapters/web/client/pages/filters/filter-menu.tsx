import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filterCountQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ExportDialog } from '#console/pages/devices/dialogs/export-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { copyText } from '#console/parts/actions/copy-button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { textOrJson } from './tree/draft-text.ts';

export interface FilterMenuProps {
  readonly filter: SavedFilter;
  readonly catalog: FieldCatalog;
  readonly isInList: boolean;
  /** The organization whose devices are counted and exported; null for all that the filter covers. */
  readonly orgId: string | null;
  /** Null if the user may not change the filter. */
  readonly onDelete: (() => void) | null;
  readonly onSay: (message: string) => void;
}

export function FilterMenu({ filter, catalog, isInList, orgId, onDelete, onSay }: FilterMenuProps) {
  const [isExporting, setIsExporting] = useState(false);
  const navigate = useNavigate();
  const { id, name } = filter;

  async function copy() {
    const isCopied = await copyText(textOrJson(filter.conditions, catalog));
    onSay(isCopied ? words.filters.textCopied : words.filters.notCopied);
  }

  return (
    <>
      <MenuTrigger>
        <Button kind="quiet" isCompact={isInList} aria-label={words.filters.actions(name)}>
          <Icon name="more" />
        </Button>
        <Menu placement="bottom end">
          {isInList && (
            <MenuItem onAction={() => void navigate({ to: '/filters/$id', params: { id } })}>
              {words.filters.open}
            </MenuItem>
          )}
          <MenuItem onAction={() => void navigate({ to: '/filters/new', search: { from: id } })}>
            {words.filters.duplicate}
          </MenuItem>
          <MenuItem onAction={() => void copy()}>{words.filters.copyText}</MenuItem>
          <MenuItem onAction={() => setIsExporting(true)}>{words.filters.exportDevices}</MenuItem>
          {onDelete !== null && <MenuItem onAction={onDelete}>{words.filters.remove}</MenuItem>}
        </Menu>
      </MenuTrigger>
      {isExporting && <FilterExport filter={filter} orgId={orgId} onClose={() => setIsExporting(false)} />}
    </>
  );
}

interface FilterExportProps extends Pick<FilterMenuProps, 'filter' | 'orgId'> {
  readonly onClose: () => void;
}

function FilterExport({ filter, orgId, onClose }: FilterExportProps) {
  const { id, name } = filter;
  const { data: count = null } = useQuery(filterCountQuery(useApi(), filter, orgId));
  const title = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  return (
    <ExportDialog
      chosen={{ kind: 'filter', id, orgId }}
      count={count}
      columns={null}
      fileName={title === '' ? id : title}
      onClose={onClose}
    />
  );
}

import { useNavigate } from '@tanstack/react-router';
import { MenuTrigger } from 'react-aria-components';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { type Api, unbroken } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { copyText } from '#console/parts/actions/copy-button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { saveFile } from '#console/parts/actions/save-file.ts';
import { messageOf } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { textOrJson } from './tree/draft-text.ts';

export interface FilterMenuProps {
  readonly filter: SavedFilter;
  readonly catalog: FieldCatalog;
  readonly isInList: boolean;
  /** Null if the user may not change the filter. */
  readonly onDelete: (() => void) | null;
  readonly onSay: (message: string) => void;
}

export function FilterMenu({ filter, catalog, isInList, onDelete, onSay }: FilterMenuProps) {
  const api = useApi();
  const navigate = useNavigate();
  const { id, name } = filter;

  async function copy() {
    const isCopied = await copyText(textOrJson(filter.conditions, catalog));
    onSay(isCopied ? words.filters.textCopied : words.filters.notCopied);
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
        <MenuItem onAction={() => void exportAll()}>{words.filters.exportDevices}</MenuItem>
        {onDelete !== null && <MenuItem onAction={onDelete}>{words.filters.remove}</MenuItem>}
      </Menu>
    </MenuTrigger>
  );
}

async function exportFiltered(api: Api, { id, name }: SavedFilter): Promise<void> {
  const body = { filterId: id, format: 'csv' };
  const response = await api.fetch('/devices/export', { method: 'POST', body });
  const title = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  saveFile(`${title === '' ? id : title}.csv`, await unbroken(response, response.blob()));
}

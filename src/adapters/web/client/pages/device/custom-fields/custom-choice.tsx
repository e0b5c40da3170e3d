import { MenuTrigger } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { NONE, optionsOf } from './custom-choices.ts';
import type { CustomEditing } from './custom-field.tsx';

/** One of a few values, from a menu: what is chosen is saved. */
export function CustomChoice({ field, change, save }: CustomEditing) {
  const options = optionsOf(field);
  const chosen = options.find(({ value }) => value === field.value)?.id ?? NONE;
  return (
    <MenuTrigger>
      <Button
        kind="quiet"
        isCompact
        isPending={change.isSaving}
        // Without its choices a menu could only remove the value.
        isDisabled={field.type === 'dropdown' && field.choices === null}
        aria-label={words.devicePage.editField(field.name)}
      >
        <Icon name="edit" />
      </Button>
      <Menu
        aria-label={field.name}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen]}
        onAction={(id) => {
          const option = options.find((one) => one.id === id);
          if (option !== undefined && option.id !== chosen) void save(option.value);
        }}
      >
        {options.map(({ id, text }) => (
          <MenuItem key={id} id={id}>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

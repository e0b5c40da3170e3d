import { Header, MenuTrigger, type Selection } from 'react-aria-components';
import { type Preferences, setPreferences, usePreferences } from '#console/app/preferences.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem, MenuSection } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { COLUMNS, type Column, type ColumnId, FIXED_COLUMNS } from './columns.tsx';
import styles from './columns-menu.module.css';

const DENSITIES = ['comfortable', 'compact'] as const satisfies readonly Preferences['density'][];

export interface ColumnsMenuProps {
  readonly columns: readonly Column[];
  readonly onColumns: (ids: readonly ColumnId[]) => void;
}

/** What each row shows, and how close the rows stand. */
export function ColumnsMenu({ columns, onColumns }: ColumnsMenuProps) {
  const { density } = usePreferences();
  const shown = columns.map(({ id }) => id);
  const choose = (keys: Selection) => {
    const chosen = COLUMNS.filter(({ id }) => FIXED_COLUMNS.includes(id) || keys === 'all' || keys.has(id));
    onColumns(chosen.map(({ id }) => id));
  };
  return (
    <MenuTrigger>
      <Button>
        {words.devices.columns} <Icon name="down" />
      </Button>
      <Menu placement="bottom end">
        <MenuSection selectionMode="multiple" selectedKeys={shown} onSelectionChange={choose}>
          <Header className={styles.title}>{words.devices.columns}</Header>
          {COLUMNS.filter(({ id }) => !FIXED_COLUMNS.includes(id)).map(({ id }) => (
            <MenuItem key={id} id={id}>
              {words.devices.column[id]}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[density]}
          onSelectionChange={(keys) =>
            setPreferences({ density: DENSITIES.find((one) => keys !== 'all' && keys.has(one)) ?? density })
          }
        >
          <Header className={styles.title}>{words.devices.density}</Header>
          {DENSITIES.map((one) => (
            <MenuItem key={one} id={one}>
              {words.devices.densities[one]}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}

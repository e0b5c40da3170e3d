import { Header, MenuTrigger, type Selection } from 'react-aria-components';
import type { DevicePage, Organization } from '#adapters/http/api-types.ts';
import { type Preferences, setPreferences, usePreferences } from '#console/app/preferences.ts';
import { words } from '#console/app/words.ts';
import styles from '#console/pages/devices/devices-page.module.css';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem, MenuSection } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { COLUMNS, type Column, type ColumnId, FIXED_COLUMNS } from './columns.tsx';

const DENSITIES = ['comfortable', 'compact'] as const satisfies readonly Preferences['density'][];

export interface ColumnsMenuProps {
  readonly columns: readonly Column[];
  readonly onColumns: (ids: readonly ColumnId[]) => void;
}

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

interface DeviceCountProps {
  readonly first: DevicePage | undefined;
  readonly orgId: string | null;
  readonly organizations: readonly Organization[];
  /** The current filter has an error; the list still shows the last valid one. */
  readonly isOutOfDate: boolean;
}

export function DeviceCount({ first, orgId, organizations, isOutOfDate }: DeviceCountProps) {
  const total = organizations
    .filter(({ id }) => orgId === null || id === orgId)
    .reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  const count = first?.totalCount ?? null;
  return (
    <p className={styles.count}>
      <strong role="status">
        {count !== null && words.devices.count(count)}
        {count === null && !isOutOfDate && <Skeleton width={90} />}
      </strong>
      {first !== undefined && (
        <span className="soft">
          {count !== total && total > 0 && `${words.devices.ofTotal(total)} · `}
          {words.devices.evaluated}
          <Time at={first.evaluatedAt} as="timeOfDay" />
          {isOutOfDate && ` · ${words.devices.outOfDate}`}
        </span>
      )}
    </p>
  );
}

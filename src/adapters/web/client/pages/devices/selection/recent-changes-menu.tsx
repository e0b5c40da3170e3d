import { MenuTrigger } from 'react-aria-components';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { formatSpan } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { type RecentChange, useRecentChanges } from './recent-changes.ts';
import styles from './recent-changes-menu.module.css';

/** Offers to undo changes of many devices, for ten minutes. */
export function RecentChangesMenu({ onUndo }: { readonly onUndo: (change: RecentChange) => Promise<void> }) {
  const changes = useRecentChanges(useUser().id);
  if (changes.length === 0) return null;
  return (
    <MenuTrigger>
      <Button kind="quiet" aria-label={words.bulk.recent} className={styles.recent ?? ''}>
        <Icon name="undo" /> <span>{words.bulk.recent}</span>
      </Button>
      <Menu placement="bottom end">
        {changes.map((change) => (
          <MenuItem key={change.operationId} onAction={() => void onUndo(change)}>
            {words.bulk.recentEntry(change.text, formatSpan(change.at, Date.now()))}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { Icon } from '#console/parts/icon.tsx';
import styles from './banner.module.css';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { UserMenu } from './user-menu.tsx';

/** The line above the page. */
export function Banner({ onDraw }: { readonly onDraw: () => void }) {
  return (
    <header className={styles.banner}>
      <Button kind="quiet" aria-label={words.shell.menu} className={styles.draw} onPress={onDraw}>
        <Icon name="menu" />
      </Button>
      <Breadcrumbs />
      <div className={styles.actions}>
        <UserMenu />
      </div>
    </header>
  );
}

import { words } from '#console/app/words.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import { Button, type ButtonProps } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { UserMenu } from '#console/shell/user/user-menu.tsx';
import styles from './banner.module.css';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { LoadingLine } from './loading-line.tsx';

export interface BannerProps {
  readonly onDraw: () => void;
  readonly searchProps: ButtonProps;
  readonly helpProps: ButtonProps;
  readonly onSignOut: () => void;
}

/** The line above the page. */
export function Banner({ onDraw, searchProps, helpProps, onSignOut }: BannerProps) {
  return (
    <header className={styles.banner}>
      <Button kind="quiet" aria-label={words.shell.menu} className={styles.draw} onPress={onDraw}>
        <Icon name="menu" />
      </Button>
      <Breadcrumbs />
      <div className={styles.actions}>
        <Button className={styles.search} aria-haspopup="dialog" {...searchProps}>
          <Icon name="search" />
          <span className={styles.searchText}>
            {words.shell.search}
            <span aria-hidden="true">{words.shell.searchRest}</span>
          </span>
          <span className={styles.searchKeys} aria-hidden="true">
            <ShowKeys keys="mod+k" />
          </span>
        </Button>
        <Button kind="quiet" aria-label={words.shell.help} {...helpProps}>
          <Icon name="help" />
        </Button>
        <UserMenu onSignOut={onSignOut} />
      </div>
      <LoadingLine />
    </header>
  );
}

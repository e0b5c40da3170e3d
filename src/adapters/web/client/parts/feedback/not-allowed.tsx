import { Link } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { Empty } from './empty.tsx';

export interface NotAllowedProps {
  /** Of the page that is not shown. */
  readonly title: string;
  /** What would be needed, and from whom. */
  readonly text: string;
}

/** Instead of a page that somebody has no access to. */
export function NotAllowed({ title, text }: NotAllowedProps) {
  return (
    <Page title={title}>
      <Empty title={words.notAllowedTitle} text={text}>
        <Link to="/">{words.toDashboard}</Link>
      </Empty>
    </Page>
  );
}

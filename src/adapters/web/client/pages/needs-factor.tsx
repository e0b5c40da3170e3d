import { Link, useLocation } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Notice } from '#console/parts/feedback/notice.tsx';

interface NeedsFactorProps {
  readonly children: string;
  /** The page to return to; default: this page. */
  readonly next?: string;
}

/** Links to the Security page, which leads back to `next` afterwards. */
export function NeedsFactor({ children, next }: NeedsFactorProps) {
  const { pathname } = useLocation();
  return (
    <Notice kind="info">
      {children}{' '}
      <Link to="/settings/security" search={{ next: next ?? pathname }}>
        {words.signIn.enroll}
      </Link>
    </Notice>
  );
}

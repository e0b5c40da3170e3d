import { Link, useLocation } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Notice } from '#console/parts/feedback/notice.tsx';

/** Leads to Security and back. */
export function NeedsFactor({ children }: { readonly children: string }) {
  const { pathname } = useLocation();
  return (
    <Notice kind="info">
      {children}{' '}
      <Link to="/settings/security" search={{ next: pathname }}>
        {words.signIn.enroll}
      </Link>
    </Notice>
  );
}

/** Contract: §2, §14. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ACCOUNT_DELETION_PATH } from '#adapters/web/places.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { firstRunQuery } from '#console/api/links.ts';
import { partQuery } from '#console/app/lazy-page.ts';
import { useServices, useSessionState } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { LonePage } from '#console/parts/layout/lone-page.tsx';
import { SignInForm } from '#console/session/sign-in-form.tsx';

const problemQuery = partQuery(
  'provider-problem',
  async () => (await import('#console/session/provider-problem.tsx')).ProviderProblem,
);

export function SignInPage() {
  const { session } = useServices();
  const { next, problem, request } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const router = useRouter();
  const state = useSessionState();
  const [fault, setFault] = useState<unknown>(null);
  const { passwordSetFor } = useRouterState({ select: ({ location }) => location.state });
  const { data: ProviderProblem } = useQuery({ ...problemQuery, enabled: problem !== undefined });
  const isEmpty = useQuery(firstRunQuery).data?.open ?? false;

  useEffect(() => {
    if (session.state.kind === 'unknown') void session.begin().catch(setFault);
  }, [session]);

  useEffect(() => {
    if (state.kind !== 'signed-in') return;
    if (next === undefined) void navigate({ to: '/', replace: true });
    // The account deletion page is not part of this router.
    else if (next === ACCOUNT_DELETION_PATH) window.location.replace(`${BASE_PATH}${next}`);
    else router.history.replace(`${BASE_PATH}${next}`);
  }, [state.kind, next, navigate, router]);

  return (
    <LonePage title={words.signIn.title}>
      <ErrorNotice error={fault} />
      {problem !== undefined && ProviderProblem !== undefined && (
        <ProviderProblem problem={problem} request={request} />
      )}
      {passwordSetFor !== undefined && <Notice kind="success">{words.links.wasSet}</Notice>}
      {isEmpty ? (
        <EmptyService />
      ) : (
        <SignInForm next={next} {...(passwordSetFor && { email: passwordSetFor })} />
      )}
      {!isEmpty && (
        <p>
          <Link to="/reset-password">{words.links.forgot}</Link>
        </p>
      )}
    </LonePage>
  );
}

function EmptyService() {
  return (
    <div className="stack">
      <p>
        <strong>{words.links.emptyTitle}</strong>
      </p>
      <p>{words.links.emptyText}</p>
      <p>
        <code>{words.links.emptyCommand}</code>{' '}
        <CopyButton text={words.links.emptyCommand} label={words.links.copyCommand} isCompact />
      </p>
    </div>
  );
}

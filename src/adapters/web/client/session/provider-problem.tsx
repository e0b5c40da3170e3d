import { words } from '#console/app/words.ts';
import type { ProviderProblemSearch } from '#console/pages/search.ts';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';

export function ProviderProblem({ problem, request }: ProviderProblemSearch) {
  const text = problem === undefined ? undefined : words.providerProblems[problem];
  if (text === undefined) return null;
  return (
    <Notice kind="error">
      <p>{text}</p>
      {request !== undefined && (
        <p>
          <code>{words.requestId(request)}</code>
          <CopyButton text={request} label={words.copyRequestId} isCompact />
        </p>
      )}
    </Notice>
  );
}

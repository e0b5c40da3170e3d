import { words } from '#console/app/words.ts';
import type { ProviderProblemSearch } from '#console/pages/search.ts';
import { Notice, RequestId } from '#console/parts/feedback/notice.tsx';

export function ProviderProblem({ problem, request }: ProviderProblemSearch) {
  const text = problem === undefined ? undefined : words.providerProblems[problem];
  if (text === undefined) return null;
  return (
    <Notice kind="error">
      <p>{text}</p>
      {request !== undefined && <RequestId id={request} />}
    </Notice>
  );
}

import { ApiError } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';

/** Why a filter could not be saved, and what to do. */
export function SaveFault({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') return <ErrorNotice error={error} />;
  return (
    <Notice kind="error">
      <p>{words.filters.quota}</p>
      <p>{error.message}</p>
      <p>{words.filters.quotaWhatToDo}</p>
    </Notice>
  );
}

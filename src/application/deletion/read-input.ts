/** A body that is read only when it is needed, because earlier checks may refuse the call. */
import type { Result } from '#domain/result.ts';

/** What was sent, or the edge's error. Called at most once. */
export type ReadInput<T, E> = () => Promise<Result<T, E>>;

/** A body that is not looked at before its turn has come, as what stands before it may refuse the call. */
import type { Result } from '#domain/result.ts';

/** What was sent, or what the edge has to say against it. Called at most once. */
export type ReadInput<T, E> = () => Promise<Result<T, E>>;

import type { Result } from '#domain/result.ts';

/**
 * Reads the body only when needed, because earlier checks may refuse the call. Called at most once; fails with the
 * edge's error.
 */
export type ReadInput<T, E> = () => Promise<Result<T, E>>;

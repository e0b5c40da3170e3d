/** A store for `useSyncExternalStore`. Free of React, because the account deletion page uses it. */
export function makeStore<T>(initial: T) {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: (): T => value,
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

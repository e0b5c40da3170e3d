import { useEffect, useState } from 'react';

const SHOWN_MS = 10_000;

/** A message that disappears after ten seconds. */
export function usePassing<T>() {
  const [message, setMessage] = useState<T | null>(null);
  useEffect(() => {
    const timer = message === null ? undefined : setTimeout(() => setMessage(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, setMessage] as const;
}

import { useState } from 'react';

export interface Sending {
  readonly isSending: boolean;
  /** What went wrong the last time; null if nothing did. */
  readonly fault: unknown;
  /** Does it, unless it is under way. A fault is kept, and nothing else happens. */
  readonly send: (action: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** What a form or a dialog sends: one thing at a time, and what came of it. */
export function useSending(): Sending {
  const [isSending, setIsSending] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  return {
    isSending,
    fault,
    forget: () => setFault(null),
    send: async (action) => {
      if (isSending) return;
      setIsSending(true);
      setFault(null);
      try {
        await action();
      } catch (error) {
        setFault(error);
      } finally {
        setIsSending(false);
      }
    },
  };
}

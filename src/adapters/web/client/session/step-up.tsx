/** Asks for a code where the API wants a fresh one; the request that needed it goes on afterwards (Contract: §14). */
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '#console/api/http.ts';
import { useServices, useSessionState } from '#console/app/services.ts';
import type { StepUpDialogProps } from './step-up-dialog.tsx';

interface Waiting {
  /** Comes only when it is needed. */
  readonly StepUpDialog: ComponentType<StepUpDialogProps>;
  readonly error: ApiError;
  readonly go: () => void;
  readonly giveUp: (error: ApiError) => void;
}

export function StepUp() {
  const { api } = useServices();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  // Requests that are refused together are answered by one code.
  const shared = useRef<Promise<void> | null>(null);

  const ask = useCallback((error: ApiError): Promise<void> => {
    const wait = async () => {
      // Where it cannot be fetched, the request fails as it would have without it.
      const { StepUpDialog } = await import('./step-up-dialog.tsx').catch(() => Promise.reject(error));
      await new Promise<void>((go, giveUp) => setWaiting({ StepUpDialog, error, go, giveUp }));
    };
    shared.current ??= wait().finally(() => {
      shared.current = null;
      setWaiting(null);
    });
    return shared.current;
  }, []);

  useEffect(() => {
    api.stepUp = ask;
  }, [api, ask]);

  // Whoever has to sign in again enters a code there, or is asked for one again.
  const { kind } = useSessionState();
  useEffect(() => {
    if (kind === 'ended') waiting?.go();
  }, [kind, waiting]);

  if (waiting === null) return null;
  const { StepUpDialog, error, go, giveUp } = waiting;
  return <StepUpDialog onProved={go} onGiveUp={() => giveUp(error)} />;
}

/** Asks for the proof that the API demands, then repeats the request (Contract: §14, §16). */
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '#console/api/http.ts';
import { useServices, useSessionState } from '#console/app/services.ts';
import type { StepUpDialogProps } from './step-up-dialog.tsx';

interface Waiting {
  readonly StepUpDialog: ComponentType<StepUpDialogProps>;
  readonly error: ApiError;
  readonly go: () => void;
  readonly giveUp: (error: ApiError) => void;
}

export function StepUp() {
  const { api } = useServices();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  // All waiting requests share one proof.
  const shared = useRef<Promise<void> | null>(null);

  const ask = useCallback((error: ApiError): Promise<void> => {
    const wait = async () => {
      // If the dialog cannot be loaded, the request fails with the API's error.
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

  // Once the session has ended, the sign-in dialog opens and asks for a code itself, so this dialog closes.
  const { kind } = useSessionState();
  useEffect(() => {
    if (kind === 'ended') waiting?.go();
  }, [kind, waiting]);

  if (waiting === null) return null;
  const { StepUpDialog, error, go, giveUp } = waiting;
  return <StepUpDialog error={error} onProved={go} onGiveUp={() => giveUp(error)} />;
}

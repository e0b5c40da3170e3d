/** Asks for a code where the API wants a fresh one; the request that needed it goes on afterwards (Contract: §14). */
import { useCallback, useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import type { ApiError } from '#console/api/http.ts';
import { useServices } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { Dialog, DialogActions } from '#console/parts/dialog.tsx';
import { ErrorNotice } from '#console/parts/notice.tsx';
import { TextField } from '#console/parts/text-field.tsx';
import { challenge } from './challenge.ts';

interface Waiting {
  readonly error: ApiError;
  readonly go: () => void;
  readonly giveUp: (error: ApiError) => void;
}

export function StepUp() {
  const { api, session } = useServices();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setIsSending] = useState(false);
  // Requests that are refused together are answered by one code.
  const shared = useRef<Promise<void> | null>(null);

  const ask = useCallback((error: ApiError): Promise<void> => {
    shared.current ??= new Promise<void>((go, giveUp) => {
      setCode('');
      setFault(null);
      setWaiting({ error, go, giveUp });
    }).finally(() => {
      shared.current = null;
      setWaiting(null);
    });
    return shared.current;
  }, []);

  useEffect(() => {
    api.stepUp = ask;
  }, [api, ask]);

  async function confirm() {
    setIsSending(true);
    setFault(null);
    try {
      await challenge(session, code.trim());
      waiting?.go();
    } catch (error) {
      setFault(error);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <Dialog
      title={words.signIn.stepUpTitle}
      isOpen={waiting !== null}
      onClose={() => waiting?.giveUp(waiting.error)}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <p>{words.signIn.stepUpText}</p>
        <TextField
          label={words.signIn.code}
          value={code}
          onChange={setCode}
          autoFocus
          isRequired
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={words.signIn.codeHint}
        />
        <ErrorNotice error={fault} />
        <DialogActions>
          <Button kind="quiet" onPress={() => waiting?.giveUp(waiting.error)}>
            {words.cancel}
          </Button>
          <Button kind="primary" type="submit" isPending={isSending}>
            {words.signIn.confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

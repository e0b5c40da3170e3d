import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sendUnsent } from '#console/api/unsent.ts';
import { useServices } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

/** Visible only on failure, because the session is then still open. */
export function SignOut({ onClose }: { readonly onClose: () => void }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const { isSending, fault, send } = useSending();
  const isBegun = useRef(false);

  const signOut = () =>
    send(async () => {
      await sendUnsent();
      await session.signOut();
      await navigate({ to: '/login' });
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: signs out once, when mounted.
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void signOut();
  }, []);

  return (
    <Dialog title={words.shell.stillSignedIn} isOpen={fault !== null} onClose={onClose}>
      <ErrorNotice error={fault} />
      <DialogActions>
        <Button kind="quiet" onPress={onClose}>
          {words.cancel}
        </Button>
        <Button kind="primary" autoFocus isPending={isSending} onPress={() => void signOut()}>
          {words.shell.signOut}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

import { useBlocker } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

export interface LeaveDialogProps {
  readonly name: string;
  readonly isAtRisk: () => boolean;
  readonly onSave: () => Promise<boolean>;
}

/** Asks before another page is opened. When the tab is closed, the browser asks. */
export function LeaveDialog({ name, isAtRisk, onSave }: LeaveDialogProps) {
  const blocker = useBlocker({
    // Sign-in needs no question, because the draft is restored afterwards.
    shouldBlockFn: ({ current, next }) =>
      isAtRisk() && next.pathname !== current.pathname && next.pathname !== '/login',
    enableBeforeUnload: isAtRisk,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const { proceed, reset } = blocker;
  return (
    <Dialog title={words.filters.leaveTitle} onClose={reset}>
      <p>{words.filters.leaveText(name)}</p>
      <DialogActions>
        <Button kind="quiet" onPress={proceed}>
          {words.filters.leave}
        </Button>
        <Button onPress={reset}>{words.filters.stay}</Button>
        <Button
          kind="primary"
          autoFocus
          onPress={() => void onSave().then((isSaved) => (isSaved ? proceed() : reset()))}
        >
          {words.filters.saveAndLeave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

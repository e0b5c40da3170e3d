import { words } from '#console/app/words.ts';
import { DialogActions } from '#console/parts/layout/dialog.tsx';
import { Button } from './button.tsx';

export interface SubmitActionsProps {
  /** What the form does. */
  readonly submit: string;
  /** Default: primary. */
  readonly kind?: 'danger' | 'primary';
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog: away from it, or on with it. */
export function SubmitActions({ submit, kind = 'primary', isSending, onCancel }: SubmitActionsProps) {
  return (
    <DialogActions>
      <Button kind="quiet" onPress={onCancel}>
        {words.cancel}
      </Button>
      <Button kind={kind} type="submit" isPending={isSending}>
        {submit}
      </Button>
    </DialogActions>
  );
}

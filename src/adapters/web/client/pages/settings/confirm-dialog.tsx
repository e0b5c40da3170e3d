import type { ReactNode } from 'react';
import { useSending } from '#console/parts/fields/form.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly kind?: 'danger' | 'primary';
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, kind = 'danger', onConfirm, onClose } = props;
  const sending = useSending();
  const confirm = () =>
    sending.send(async () => {
      await onConfirm();
      onClose();
    });
  return (
    <FormDialog
      title={title}
      submit={action}
      kind={kind}
      sending={sending}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{children}</p>
    </FormDialog>
  );
}

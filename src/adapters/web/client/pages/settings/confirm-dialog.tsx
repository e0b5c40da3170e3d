import type { ReactNode } from 'react';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, useSending } from '#console/parts/fields/form.tsx';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly kind: 'danger' | 'primary';
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, children, action, kind, onConfirm, onClose }: ConfirmDialogProps) {
  const { isSending, fault, send } = useSending();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={() =>
          send(async () => {
            await onConfirm();
            onClose();
          })
        }
      >
        <p>{children}</p>
        <ErrorNotice error={fault} />
        <SubmitActions submit={action} kind={kind} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

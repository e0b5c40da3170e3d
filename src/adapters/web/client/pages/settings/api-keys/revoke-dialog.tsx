import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';

const said = words.settings.apiKeys;

export interface RevokeDialogProps {
  /** The key's. */
  readonly name: string;
  /** What comes of it. */
  readonly text: string;
  readonly onRevoke: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a key of any kind is revoked. */
export function RevokeDialog({ name, text, onRevoke, onClose }: RevokeDialogProps) {
  return (
    <ConfirmDialog
      title={said.revokeTitle(name)}
      action={said.revokeConfirm}
      kind="danger"
      onConfirm={onRevoke}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}

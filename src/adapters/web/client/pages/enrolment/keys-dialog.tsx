import { useQuery, useQueryClient } from '@tanstack/react-query';
import { enrolmentKeysQuery, revokeEnrolmentKey } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { KeyTable } from '#console/pages/settings/api-keys/key-table.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

const said = words.enrolment;

export interface KeysDialogProps {
  readonly organization: { readonly id: string; readonly name: string };
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

export function KeysDialog({ organization, onAdd, onClose }: KeysDialogProps) {
  return (
    <Dialog title={said.keysOf(organization.name)} width={640} onClose={onClose}>
      <p>{said.keysText}</p>
      <EnrolmentKeys orgId={organization.id} />
      <DialogActions>
        <Button kind="quiet" onPress={onClose}>
          {words.close}
        </Button>
        <Button kind="primary" onPress={onAdd}>
          {said.add}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function EnrolmentKeys({ orgId }: { readonly orgId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(enrolmentKeysQuery(api));
  return (
    <KeyTable
      label={said.keys}
      rows={query.data?.filter((key) => key.orgId === orgId)}
      query={query}
      empty={<Empty title={said.noKeysTitle} text={said.noKeysText} />}
      revokeText={said.revokeText}
      onRevoke={async ({ id }) => {
        await revokeEnrolmentKey(api, id);
        await queries.invalidateQueries({ queryKey: enrolmentKeysQuery(api).queryKey });
      }}
    />
  );
}

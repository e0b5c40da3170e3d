import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnrolmentKey } from '#adapters/http/api-types.ts';
import { enrolmentKeysQuery, revokeEnrolmentKey } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { KeyTable, keyColumns, RevokeDialog } from '#console/pages/settings/api-keys/key-table.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { useNow } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

const said = words.enrolment;

const NAME: Column<EnrolmentKey> = {
  id: 'name',
  title: words.settings.apiKeys.name,
  isMain: true,
  cell: ({ name }) => name,
};

export interface KeysDialogProps {
  readonly organization: { readonly id: string; readonly name: string };
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

export function KeysDialog({ organization, onAdd, onClose }: KeysDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const now = useNow();
  const { data, error, refetch } = useQuery(enrolmentKeysQuery(api));
  const [leaving, setLeaving] = useState<EnrolmentKey | null>(null);
  const keys = data?.filter(({ orgId }) => orgId === organization.id);
  return (
    <>
      <Dialog title={said.keysOf(organization.name)} isOpen width={640} onClose={onClose}>
        <p>{said.keysText}</p>
        <KeyTable
          label={said.keys}
          columns={[NAME, ...keyColumns<EnrolmentKey>(now, setLeaving)]}
          keys={keys}
          error={error}
          onRetry={() => void refetch()}
          empty={{ title: said.noKeysTitle, text: said.noKeysText }}
        />
        <DialogActions>
          <Button kind="quiet" onPress={onClose}>
            {words.close}
          </Button>
          <Button kind="primary" onPress={onAdd}>
            {said.add}
          </Button>
        </DialogActions>
      </Dialog>
      {leaving !== null && (
        <RevokeDialog
          name={leaving.name}
          text={said.revokeText}
          onRevoke={async () => {
            await revokeEnrolmentKey(api, leaving.id);
            await queries.invalidateQueries({ queryKey: enrolmentKeysQuery(api).queryKey });
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BASE_PATH } from '#console/api/base-path.ts';
import { sitesQuery } from '#console/api/filters.ts';
import { createEnrolmentKey, enrolmentKeysQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { namesById } from '#console/pages/lists/use-organizations.ts';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { expiryAfter } from '#console/pages/settings/api-keys/key-table.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import { type AgentSystem, agentCommand, likelySystem } from './agent-commands.ts';

const said = words.enrolment;

export interface AddMachineDialogProps {
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  readonly org: string | null;
  readonly onClose: () => void;
}

export function AddMachineDialog({ organizations, org, onClose }: AddMachineDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  if (key === null) return <MakeKey {...{ organizations, org, onClose }} onMade={setKey} />;
  return (
    <Dialog title={said.madeTitle} isShownOnce width={600} onClose={onClose}>
      <p>{said.madeText}</p>
      <AgentCommand apiKey={key} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {said.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface MakeKeyProps extends AddMachineDialogProps {
  readonly onMade: (key: string) => void;
}

function MakeKey({ organizations, org, onClose, onMade }: MakeKeyProps) {
  const api = useApi();
  const queries = useQueryClient();
  const canPassMfa = hasFactor(useUser());
  const [only, ...others] = organizations;
  const [orgId, setOrgId] = useState(org ?? (others.length === 0 ? (only?.id ?? '') : ''));
  const [siteId, setSiteId] = useState('');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<string>('never');
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const { data: sites = [] } = useQuery(sitesQuery(api));
  const ownSites = sites.filter((site) => site.orgId === orgId);
  const isHomeless = isChecked && orgId === '';

  const make = async () => {
    setIsChecked(true);
    if (orgId === '') return;
    const wanted = {
      orgId,
      siteId: siteId === '' ? null : siteId,
      name,
      expiresAt: expiryAfter(expiry),
    };
    await sending.send(async () => {
      const { key } = await createEnrolmentKey(api, wanted);
      await queries.invalidateQueries({ queryKey: enrolmentKeysQuery(api).queryKey });
      onMade(key);
    });
  };

  if (!canPassMfa) {
    return (
      <Dialog title={said.add} onClose={onClose}>
        <p>{said.text}</p>
        <NeedsFactor next="/organizations?add=machine">{said.needsFactor}</NeedsFactor>
        <DialogActions>
          <Button kind="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const nameFault = faultAt(sending.fault, 'name');
  return (
    <FormDialog
      title={said.add}
      submit={said.create}
      sending={sending}
      isFaultShown={nameFault !== null}
      onSubmit={make}
      onClose={onClose}
    >
      <p>{said.text}</p>
      <Dropdown
        label={said.organization}
        value={orgId}
        error={isHomeless ? said.organizationNeeded : null}
        onChange={(chosen) => {
          setOrgId(chosen);
          setSiteId('');
        }}
      >
        {optionsOf({ '': said.chooseOrganization, ...namesById(organizations) })}
      </Dropdown>
      {ownSites.length > 0 && (
        <Dropdown label={said.site} value={siteId} onChange={setSiteId}>
          {optionsOf({ '': said.noSite, ...namesById(ownSites) })}
        </Dropdown>
      )}
      <TextField
        label={said.name}
        hint={said.nameHint}
        error={nameFault}
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
      <Dropdown label={said.expires} value={expiry} onChange={setExpiry}>
        {optionsOf(said.expiries)}
      </Dropdown>
    </FormDialog>
  );
}

const AGENT_RELEASES = 'https://github.com/glpi-project/glpi-agent/releases/latest';

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function AgentCommand({ apiKey }: { readonly apiKey: string }) {
  const [system, setSystem] = useState<AgentSystem>(() => likelySystem(navigator.userAgent));
  const command = agentCommand(system, `${window.location.origin}${BASE_PATH}`, apiKey);
  return (
    <div className="stack">
      <Dropdown label={said.systemsLabel} value={system} onChange={setSystem}>
        {optionsOf(said.systems)}
      </Dropdown>
      {isLoopback(window.location.hostname) && (
        <Notice kind="warning">{said.onlyHere(window.location.origin)}</Notice>
      )}
      <p className="note">
        {said.hints[system]}{' '}
        <a href={AGENT_RELEASES} target="_blank" rel="noreferrer">
          {said.download}
        </a>
      </p>
      <CopyableText text={command} label={said.copyCommand} />
    </div>
  );
}

/** The scripts of the demo: a partner's are visible in all its organizations. */
import { stableId } from '#adapters/demo/stable-id.ts';
import type { PartnerKey } from '#adapters/demo/tenants/partners.ts';
import type { Owner, ScriptRecord } from '#domain/fleet/fleet-record.ts';

/** All of them. */
export function scriptRecords(): readonly ScriptRecord[] {
  return [
    ...Object.entries(PARTNER_SCRIPTS).flatMap(([key, scripts]) =>
      scripts.map((script) =>
        scriptRecord({ kind: 'partner', partnerId: stableId('partner', key) }, key, script),
      ),
    ),
    ...Object.entries(ORGANIZATION_SCRIPTS).flatMap(([key, scripts]) =>
      scripts.map((script) =>
        scriptRecord({ kind: 'organization', orgId: stableId('organization', key) }, key, script),
      ),
    ),
  ];
}

type Script = readonly [name: string, description: string | null];

const PARTNER_SCRIPTS: Readonly<Record<PartnerKey, readonly Script[]>> = {
  'kestrel-lane': [
    ['Clear the print spooler', 'Stops the spooler, deletes what is stuck and starts it again.'],
    ['Free disk space', 'Empties the recycle bin, temporary files and the Windows Update cache.'],
    ['Repair Windows Update', 'Resets the update components and looks for updates again.'],
    ['Restart in 15 minutes', 'Warns whoever is signed in first.'],
    ['Collect event logs', 'System and application logs of the last 24 hours as a ZIP file.'],
    ['Update the agent', 'Installs the current agent and falls back if it does not come up.'],
    ['Rotate the local administrator password', null],
    ['Install Veeam Agent', 'Installs the backup agent and joins it to the backup server of the site.'],
    ['Uninstall TeamViewer', 'Removes every version, the portable ones included.'],
    ['Report BitLocker status', 'Encryption state and recovery key escrow per volume.'],
    ['Flush DNS cache', null],
    ['Disable SMBv1', 'Turns SMBv1 off on clients and servers. Needs a reboot.'],
    ['Renew DHCP lease', null],
    ['Check 100% CPU', 'Lists the ten processes with the highest load.'],
  ],
  blaubach: [
    ['Temporäre Dateien löschen', 'Leert Papierkorb, Temp-Ordner und Browser-Caches.'],
    ['Druckerwarteschlange zurücksetzen', null],
    ['Windows-Updates jetzt suchen', 'Sucht und lädt Updates, installiert aber nichts.'],
    ['Neustart ankündigen', 'Meldung an den angemeldeten Benutzer, Neustart nach 30 Minuten.'],
    ['Agent aktualisieren', null],
    ['Inventar neu einlesen', 'Hardware, Netzwerk und Software sofort melden.'],
  ],
};

/** By organization key. */
const ORGANIZATION_SCRIPTS: Readonly<Record<string, readonly Script[]>> = {
  varhaug: [
    ['Restart the scanner service', 'For handhelds that no longer print at the gate.'],
    ['Reset SAP GUI settings', 'Deletes saplogon.ini; the log-on pad fetches it again.'],
    ['Set_Label_Printer', 'Sets the Zebra of the terminal zone as default printer.'],
  ],
  pellworth: [['Stop CNC data collection', 'Only between shifts!']],
  greywater: [
    ['Prepare exam mode', 'Locks the browser, turns off spelling and syncs the clock.'],
    ['Wipe classroom profiles', 'Deletes profiles not used for 60 days.'],
  ],
  tidewell: [['Reconnect X-ray sensor', 'Restarts Carestream services and the USB hub.']],
  quillon: [['Repair iManage add-in', null]],
  saltmarsh: [['Restart OPERA interface', 'Key encoder and telephone interface included.']],
  seerain: [['PACS-Verbindung prüfen', 'DICOM-Echo an beide PACS-Knoten.']],
  wiesenbrueck: [['Leitwarten-Backup sichern', 'Kopiert die WinCC-Projekte auf das NAS im Wasserwerk Süd.']],
};

function scriptRecord(owner: Owner, ownerKey: string, [name, description]: Script): ScriptRecord {
  return { kind: 'script', id: stableId('script', `${ownerKey}/${name}`), owner, name, description };
}

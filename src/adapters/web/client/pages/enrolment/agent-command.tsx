import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { CopyableText } from '#console/parts/display/copyable-text.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import styles from './agent-command.module.css';
import { type AgentSystem, agentCommand, likelySystem } from './agent-commands.ts';

const said = words.enrolment;

/** The line to run on a machine, for its system. */
export function AgentCommand({ apiKey }: { readonly apiKey: string }) {
  const [system, setSystem] = useState<AgentSystem>(() => likelySystem(navigator.userAgent));
  const command = agentCommand(system, window.location.origin, apiKey);
  return (
    <div className={styles.block}>
      <Dropdown label={said.systemsLabel} value={system} onChange={setSystem}>
        {optionsOf(said.systems)}
      </Dropdown>
      <p className={styles.hint}>{said.hints[system]}</p>
      <CopyableText text={command} label={said.copyCommand} />
    </div>
  );
}

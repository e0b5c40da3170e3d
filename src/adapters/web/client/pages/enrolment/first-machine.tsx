import { Link } from '@tanstack/react-router';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';

const said = words.enrolment;

/** How the first device comes in: the line that a machine reports with, and who makes the key that it lacks. */
export function FirstMachine() {
  const server = window.location.origin.replace('//', `//any:${said.keyPlace}@`);
  const mayAdd = holds(useUser(), 'devices:write');
  return (
    <>
      <p>{said.firstText}</p>
      <CopyableText text={`glpi-agent --server ${server}/inventory`} label={said.copyCommand} />
      <p>
        {mayAdd ? (
          <Link to="/organizations" search={{ add: 'machine' }}>
            {said.makeKey}
          </Link>
        ) : (
          said.askForKey
        )}
      </p>
    </>
  );
}

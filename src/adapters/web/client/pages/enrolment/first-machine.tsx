import { Link } from '@tanstack/react-router';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import button from '#console/parts/actions/button.module.css';

export function FirstMachine() {
  if (!holds(useUser(), 'devices:write')) return <p>{words.dashboard.askForMachine}</p>;
  return (
    <>
      <p>{words.dashboard.addMachineText}</p>
      <div>
        <Link
          to="/organizations"
          search={{ add: 'machine' }}
          className={`${button.button} ${button.primary}`}
        >
          {words.dashboard.addMachine}
        </Link>
      </div>
    </>
  );
}

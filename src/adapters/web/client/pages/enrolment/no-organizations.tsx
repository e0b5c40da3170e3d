import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { CopyableText } from '#console/parts/display/copyable-text.tsx';

const said = words.lists.organizations;

/** Who reaches no organization has no devices to add, either: where the first one comes from. */
export function NoOrganizations() {
  if (useUser().scope !== 'system') return <p>{said.noneReached}</p>;
  return (
    <>
      <p>{said.noneYet}</p>
      <CopyableText text={said.createCommand} label={said.copyCommand} />
    </>
  );
}

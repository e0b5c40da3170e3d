import { words } from '#console/app/words.ts';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import type { KeyBinding } from './chords.ts';
import { type KeyGroup, useKeyGroups } from './registry.ts';
import styles from './shortcuts-card.module.css';
import { ShowKeys } from './show-keys.tsx';

export function ShortcutsCard({ onClose }: { readonly onClose: () => void }) {
  const groups = unclaimed(useKeyGroups());
  return (
    <Dialog title={words.keys.title} onClose={onClose} width={720}>
      <div className={styles.groups}>
        {groups.map(({ title, bindings }) => (
          <section key={title} className={styles.group}>
            <h3>{title}</h3>
            <dl>
              {bindings.map(({ keys, title: name }) => (
                <div key={keys} className={styles.row}>
                  <dt>{name}</dt>
                  <dd>
                    <ShowKeys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="note">{words.keys.note}</p>
    </Dialog>
  );
}

function unclaimed(groups: readonly KeyGroup[]): readonly KeyGroup[] {
  const taken = new Set<string>();
  const shown = new Map<string, KeyBinding[]>();
  for (const { title, bindings } of groups) {
    const free = bindings.filter((binding) => binding.title !== undefined && !taken.has(binding.keys));
    for (const { keys } of bindings) taken.add(keys);
    if (free.length > 0) shown.set(title, [...(shown.get(title) ?? []), ...free]);
  }
  return [...shown].map(([title, bindings]) => ({ title, bindings }));
}

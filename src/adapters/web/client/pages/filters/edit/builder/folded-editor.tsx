import { words } from '#console/app/words.ts';
import { textOfConditions } from '#console/pages/filters/tree/draft-text.ts';
import type { FoldedGroup } from '#console/pages/filters/tree/draft-tree.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { useBuilder, useFindings } from './builder-context.ts';
import styles from './folded-editor.module.css';
import { NodeCount } from './node-count.tsx';
import { NodeFaultList } from './node-faults.tsx';
import { RemoveButton } from './remove-button.tsx';

/** A group that is deeper than the builder shows: it stays as it is, and opens in Text. */
export function FoldedEditor({ folded }: { readonly folded: FoldedGroup }) {
  const { vocabulary, openText } = useBuilder();
  const { notes, faults } = useFindings();
  const { id, json } = folded;
  const text = textOfConditions(json, vocabulary.catalog);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={words.filters.folded}>
      <div className={styles.row}>
        <div className={styles.what}>
          <p className={styles.title}>{words.filters.folded}</p>
          {text !== null && <code className={styles.text}>{text}</code>}
        </div>
        {openText !== null && (
          <Button isCompact onPress={openText}>
            {words.filters.openText}
          </Button>
        )}
        <NodeCount note={notes === null ? null : notes.get(id)} />
        <RemoveButton id={id} />
      </div>
      <NodeFaultList id={id} messages={faults.get(id) ?? []} />
    </div>
  );
}

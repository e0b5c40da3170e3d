import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Explanation } from '#adapters/http/api-types.ts';
import { explanationQuery, type Matches, matchesQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import {
  countJsonNodes,
  countUnfinished,
  type DraftGroup,
  type DraftNode,
  toEvaluable,
  toJson,
} from '#console/pages/filters/tree/draft-tree.ts';
import {
  idsOf,
  type NodeFaults,
  type NodeNotes,
  toNodeFaults,
  toNotes,
} from '#console/pages/filters/tree/node-notes.ts';
import { isUnfinished } from '#console/parts/condition/condition-value.ts';
import { type PathFault, readConditions } from '#console/parts/condition/read-conditions.ts';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';

export interface EvaluationInput {
  readonly tree: DraftGroup;
  readonly catalog: FieldCatalog;
  readonly orgId: string | null;
  /** The organizations that the filter covers; null if `orgId` says it, or it covers all in reach. */
  readonly orgIds: readonly string[] | null;
  readonly deviceId: string | null;
  readonly isChecked: boolean;
}

export interface Evaluation {
  readonly faults: readonly PathFault[];
  readonly nodeFaults: NodeFaults;
  readonly unfinished: number;
  readonly state: 'nothing' | 'faulty' | 'sound';
  readonly matches: Matches | undefined;
  /** The conditions that `matches` was requested for. */
  readonly json: string | null;
  readonly explanation: Explanation | undefined;
  /** The conditions that `explanation` explains, without unfinished ones. */
  readonly explained: ConditionJson | null;
  /** The organizations that `matches` counts, unlike `explanation`; null for those of `explanation`. */
  readonly orgIds: readonly string[] | null;
  readonly notes: NodeNotes;
  readonly isOld: boolean;
  readonly matchesError: unknown;
  readonly explanationError: unknown;
  readonly retry: () => void;
  readonly isTooBig: boolean;
}

const EVALUATE_AFTER_MS = 300;

/** The API's limit for conditions and groups together (Contract: §12). */
const MAX_EXPLAINED = 500;

const NO_NOTES: NodeNotes = new Map();

export function useEvaluation(input: EvaluationInput): Evaluation {
  const { tree, catalog, orgId, orgIds, deviceId, isChecked } = input;
  const api = useApi();
  const checked = useMemo(() => check(tree, catalog, isChecked), [tree, catalog, isChecked]);
  const sound = useMemo(() => {
    const evaluable = toEvaluable(tree, isUnfinished);
    if (evaluable === null) return null;
    const isSound = readConditions(evaluable.json, catalog).ok;
    const isTooBig = countJsonNodes(evaluable.json) > MAX_EXPLAINED;
    return { isSound, isTooBig, json: JSON.stringify(evaluable.json), idsByPath: evaluable.idsByPath };
  }, [tree, catalog]);
  // A faulty tree is not sent; the last answers stay.
  const [lastSound, setLastSound] = useState(sound?.isSound === true ? sound : null);
  if (sound !== lastSound && (sound === null || sound.isSound)) setLastSound(sound);
  const asked = useDebounced(lastSound, EVALUATE_AFTER_MS);

  const question = asked === null ? null : { json: asked.json, orgId };
  const found = useQuery(matchesQuery(api, question, orgIds));
  const explained = useQuery({
    ...explanationQuery(api, asked?.isTooBig === true ? null : question, deviceId),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const [notes, setNotes] = useState(NO_NOTES);
  const isExplained = explained.data !== undefined && !explained.isPlaceholderData;
  useEffect(() => {
    if (asked === null || asked.isTooBig) setNotes(NO_NOTES);
    else if (isExplained && explained.data !== undefined) setNotes(toNotes(explained.data, asked.idsByPath));
  }, [asked, isExplained, explained.data]);

  const refused = found.error instanceof ApiError && found.error.status === 400 ? found.error.errors : [];
  const isWithin = orgIds !== null;
  const nodeFaults = useMemo(() => {
    if (refused.length === 0 || asked === null) return checked.nodeFaults;
    // `within` puts the conditions into a group.
    const faults = isWithin
      ? refused.map((fault) => ({ ...fault, path: fault.path.replace('.conditions[0]', '') }))
      : refused;
    return new Map([...checked.nodeFaults, ...toNodeFaults(faults, asked.idsByPath)]);
  }, [checked, refused, asked, isWithin]);

  return {
    faults: checked.faults,
    nodeFaults,
    unfinished: checked.unfinished,
    state: sound === null ? 'nothing' : sound.isSound ? 'sound' : 'faulty',
    matches: asked === null ? undefined : found.data,
    json: asked?.json ?? null,
    explanation: asked === null || asked.isTooBig ? undefined : explained.data,
    explained: useMemo(() => (asked === null ? null : JSON.parse(asked.json)), [asked]),
    orgIds,
    notes,
    isOld: asked !== lastSound || found.isPlaceholderData || found.isFetching,
    matchesError: refused.length > 0 ? null : found.error,
    // If the API reports faults, the builder shows them at their conditions, so no message is needed.
    explanationError: refused.length > 0 ? null : explained.error,
    retry: () => {
      if (found.error !== null) void found.refetch();
      if (explained.error !== null) void explained.refetch();
    },
    isTooBig: sound?.isTooBig === true,
  };
}

function check(
  tree: DraftGroup,
  catalog: FieldCatalog,
  isChecked: boolean,
): Pick<Evaluation, 'faults' | 'nodeFaults' | 'unfinished'> {
  const unfinished = countUnfinished(tree, isUnfinished);
  const read = readConditions(toJson(tree), catalog);
  const idsByPath = idsOf(tree);
  const left = new Map<number, boolean>();
  noteUnfinished(tree, catalog, left);
  const faults = (read.ok ? [] : read.error).flatMap((fault): readonly PathFault[] => {
    const [id] = toNodeFaults([fault], idsByPath).keys();
    const hasField = id === undefined ? undefined : left.get(id);
    if (hasField === undefined) return [fault];
    if (!isChecked) return [];
    return [{ path: fault.path, message: hasField ? fault.message : words.filters.chooseField }];
  });
  return { faults, nodeFaults: toNodeFaults(faults, idsByPath), unfinished };
}

/**
 * Collects unfinished nodes, and whether they have a field. A condition on a deleted field counts as finished, so its
 * fault shows at once.
 */
function noteUnfinished(node: DraftNode, catalog: FieldCatalog, into: Map<number, boolean>): void {
  if (node.kind === 'condition' && isUnfinished(node) && (node.field === '' || catalog.has(node.field))) {
    into.set(node.id, node.field !== '');
  }
  if (node.kind !== 'group') return;
  if (node.members.length === 0) into.set(node.id, true);
  for (const member of node.members) noteUnfinished(member, catalog, into);
}

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { parsedTextQuery, sitesQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useNames } from '#console/pages/lists/use-organizations.ts';
import { Chip } from '#console/parts/display/chip.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { ok } from '#domain/result.ts';
import { ChipForm } from './chip-form.tsx';
import { membersOf, negated, printMembers } from './chip-tree.ts';
import { describeNode } from './describe-condition.ts';
import styles from './filter-field.module.css';

export interface FilterChipsProps {
  readonly q: string;
  readonly catalog: FieldCatalog;
  readonly onChange: (q: string) => void;
  /** Called when the last chip was removed, to move the focus. */
  readonly onEmpty: () => void;
}

const MAX_SHOWN = 40;

export function FilterChips({ q, catalog, onChange, onEmpty }: FilterChipsProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data } = useQuery({
    ...parsedTextQuery(api, q),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
  });
  const nameOfOther = useNames(/filter:/i.test(q));
  const { data: sites = [] } = useQuery({ ...sitesQuery(api), enabled: /site/i.test(q) });
  // Holds a change until the address contains it, so a second quick key press builds on the first.
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const [current, setCurrent] = useState(0);
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const [fault, setFault] = useState<{ readonly q: string; readonly text: string } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const wantsFocus = useRef(false);
  // Maps each negated member to its original, which is shorter than a printed double negation.
  const opposites = useRef(new Map<string, NodeJson>());
  const id = useId();
  if (ahead !== null && q !== ahead.before) setAhead(null);

  const root = ahead?.root ?? data?.conditions ?? null;
  const members = root === null ? [] : membersOf(root);
  const reached = Math.min(current, members.length - 1);

  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    buttonAt(list.current, reached)?.focus();
  });

  if (root === null || q.trim() === '') return null;
  const { operator } = root;
  const nameOf = (named: string) => nameOfOther(named) ?? sites.find((site) => site.id === named)?.name;

  function say(text: string | null) {
    setFault(text === null ? null : { q, text });
  }

  function put(changed: readonly NodeJson[]): string | null {
    const printed = printMembers(operator, changed, catalog);
    if (!printed.ok) return printed.error;
    const { q: next, root: changedRoot } = printed.value;
    setFault(null);
    setAhead({ before: q, root: changedRoot });
    queries.setQueryData(parsedTextQuery(api, next).queryKey, { q: next, conditions: changedRoot });
    onChange(next);
    if (changed.length === 0) onEmpty();
    return null;
  }

  function replace(index: number, member: NodeJson): string | null {
    return put(members.map((one, i) => (i === index ? member : one)));
  }

  function remove(index: number) {
    setOpenIndex(null);
    setCurrent(Math.max(0, Math.min(index, members.length - 2)));
    say(put(members.filter((_, i) => i !== index)));
    wantsFocus.current = members.length > 1;
  }

  function negate(index: number) {
    const member = members[index];
    if (member === undefined) return;
    const known = opposites.current.get(JSON.stringify(member));
    const opposite = known === undefined ? negated(member, catalog) : ok(known);
    if (opposite.ok) opposites.current.set(JSON.stringify(opposite.value), member);
    say(opposite.ok ? replace(index, opposite.value) : opposite.error);
  }

  function onKeyDown(event: KeyboardEvent) {
    const isChip = (event.target as Element).closest('[data-chip]') !== null;
    if (!isChip || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const last = Math.min(members.length, MAX_SHOWN) - 1;
    const to = { ArrowRight: reached + 1, ArrowLeft: reached - 1, Home: 0, End: last }[key];
    if (to !== undefined) {
      setCurrent(Math.max(0, Math.min(to, last)));
      wantsFocus.current = true;
    } else if (key === 'Delete' || key === 'Backspace') remove(reached);
    else if (key === '-' || key === '!') negate(reached);
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles.filterChipsLine}>
      <ul ref={list} aria-label={words.devices.chips} className={`row ${styles.chips}`} onKeyDown={onKeyDown}>
        {members.slice(0, MAX_SHOWN).map((member, i) => {
          const text = describeNode(member, nameOf);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chip keeps its position and the focus when it is changed.
            <li key={i}>
              {operator === 'OR' && i > 0 && <span className={styles.joint}>{words.devices.any}</span>}
              <Chip
                title={text}
                open={{
                  isOpen: openIndex === i,
                  onOpen: () => {
                    setCurrent(i);
                    setOpenIndex(i);
                  },
                  tabIndex: i === reached ? 0 : -1,
                  describedBy: `${id}-keys`,
                }}
                removal={{ label: words.devices.remove(text), onRemove: () => remove(i), tabIndex: -1 }}
              >
                {text}
              </Chip>
            </li>
          );
        })}
        {members.length > MAX_SHOWN && <li>{words.devices.moreChips(members.length - MAX_SHOWN)}</li>}
      </ul>
      <span id={`${id}-keys`} hidden>
        {words.devices.chipKeys}
      </span>
      {fault?.q === q && <Notice kind="error">{fault.text}</Notice>}
      {openIndex !== null && members[openIndex] !== undefined && (
        <ChipForm
          key={openIndex}
          member={members[openIndex]}
          text={describeNode(members[openIndex], nameOf)}
          anchor={buttonAt(list.current, openIndex)}
          onClose={() => setOpenIndex(null)}
          onApply={(member) => {
            const wrong = replace(openIndex, member);
            if (wrong === null) setOpenIndex(null);
            return wrong;
          }}
          onNegate={() => {
            negate(openIndex);
            setOpenIndex(null);
          }}
          onRemove={() => remove(openIndex)}
        />
      )}
    </div>
  );
}

interface Ahead {
  readonly before: string;
  readonly root: ConditionJson;
}

function buttonAt(list: HTMLElement | null, index: number): HTMLElement | null {
  return list?.querySelectorAll<HTMLElement>('[data-chip]')[index] ?? null;
}

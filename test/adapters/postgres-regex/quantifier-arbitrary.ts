/** Random quantifiers: `*`, `{2,3}?` and the like. */
import fc from 'fast-check';

export const quantifier = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('*', '+', '?', '*?', '+?', '??') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(4), fc.constantFrom(undefined, ',', 0, 1, 2), fc.constantFrom('', '', '?'))
      .map(([min, more, lazy]) => {
        const max = typeof more === 'number' ? `,${min + more}` : (more ?? '');
        return `{${min}${max}}${lazy}`;
      }),
  },
);

/** A quantifier one time in five. */
export const optionalQuantifier = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: quantifier },
);

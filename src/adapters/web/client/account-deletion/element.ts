/** Makes the elements of a page that has no framework. */

export type Child = Node | string | null;

/** Attributes by name: true sets an empty one, false and null leave it out. */
type Attributes = Readonly<Record<string, string | boolean | null>>;

/** An element. Text is always text: nothing of it is read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null) continue;
    made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does something on this page. */
export function button(kind: string, label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, label);
  made.addEventListener('click', act);
  return made;
}

/** What the page of the API does: it shows what has the words that are looked for, and opens what a link leads to. */
export const DOCS_SCRIPT = `
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const operations = [...document.querySelectorAll('section.operation')];
const texts = operations.map((operation) => operation.textContent.toLowerCase());
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  operations.forEach((operation, i) => {
    const isFound = words.every((word) => texts[i].includes(word));
    operation.hidden = !isFound;
    document.querySelector('nav a[href="#' + operation.id + '"]').parentElement.hidden = !isFound;
    if (isFound) count++;
  });
  found.textContent = count === operations.length ? '' : count + ' of ' + operations.length + ' routes';
});
const open = () => {
  const details = document.getElementById(location.hash.slice(1))?.querySelector('details');
  if (details) details.open = true;
};
addEventListener('hashchange', open);
open();
`;

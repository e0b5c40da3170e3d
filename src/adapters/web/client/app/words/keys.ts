export const keysWords = {
  title: 'Keyboard shortcuts',
  goTo: 'Go to',
  anywhere: 'Anywhere',
  palette: 'Search or jump to…',
  search: 'Search',
  sidebar: 'Switch sidebar mode',
  card: 'Keyboard shortcuts',
  help: 'Help',
  leave: 'Close the dialog, menu or help',
  note: 'Single-key shortcuts don’t work while you type in a field. You can turn them off in your profile.',
};

export const helpWords = {
  close: 'Close help',
  keys: 'Keys on this page',
  allKeys: 'All keyboard shortcuts',
};

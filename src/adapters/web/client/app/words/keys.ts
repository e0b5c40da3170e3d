/** The card of shortcuts, and what the shell's keys do. */
export const keysWords = {
  title: 'Keyboard shortcuts',
  goTo: 'Go to',
  anywhere: 'Anywhere',
  palette: 'Search or jump to…',
  search: 'Search',
  sidebar: 'Sidebar: open, at the edge, icons',
  card: 'Keyboard shortcuts',
  help: 'Help',
  leave: 'Close a dialog, a menu or the help',
  note: 'Single keys do nothing while you type in a field. They can be switched off in your profile.',
};

/** What stands around the pages of the help, which are beside the panel. */
export const helpWords = {
  close: 'Close help',
  keys: 'Keys here',
  allKeys: 'All keyboard shortcuts',
};

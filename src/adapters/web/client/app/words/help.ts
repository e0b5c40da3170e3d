/** What stands around the pages of the help, which are beside the panel. */
export const helpWords = {
  close: 'Close help',
  keys: 'Keys here',
  allKeys: 'All keyboard shortcuts',
};

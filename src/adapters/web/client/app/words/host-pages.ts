/** The places that belong to a host product. */
export const hostPageWords = {
  leading: (title: string) => `${title} is part of another product here. It opens by itself.`,
  open: (title: string) => `Open ${title}`,
  noneTitle: (title: string) => `${title} is not set up here`,
  noneText:
    'It belongs to the product that Fleetsift is used with. Whoever runs this server can link it with',
};

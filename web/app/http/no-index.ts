/** The meta tag that keeps a page out of search engines. */
export const noIndex = { name: 'robots', content: 'noindex' }

/**
 * What the landing page says of an installation and no program can know: whoever runs it says by SITE_PROMISES which of them hold. Everything
 * else on that page is true of the program itself.
 */
export const sitePromises = ['cloud-storage', 'backups', 'mobile-app'] as const
export type SitePromise = (typeof sitePromises)[number]

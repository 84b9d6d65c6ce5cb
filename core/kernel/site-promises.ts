/**
 * Claims on the landing page that depend on how the product is run: the operator lists in SITE_PROMISES those that are true. All other claims
 * on that page are true of the program itself.
 */
export const sitePromises = ['cloud-storage', 'backups', 'mobile-app'] as const
export type SitePromise = (typeof sitePromises)[number]

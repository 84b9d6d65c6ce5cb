/** The page where a returning customer of a storefront logs in, and comes back from. */
export function logInAddress({ urlKey }: { urlKey: string }): string {
  return `/${urlKey}/login?returnTo=${encodeURIComponent(`/${urlKey}`)}`
}

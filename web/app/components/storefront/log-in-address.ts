/** The log-in page of a storefront, which returns to the storefront itself, also from its back issues. */
export function logInAddress({ urlKey }: { urlKey: string }): string {
  return `/${urlKey}/login?returnTo=${encodeURIComponent(`/${urlKey}`)}`
}

/** The log-in page of a storefront, which returns to the current page. */
export function logInAddress({ urlKey }: { urlKey: string }): string {
  return `/${urlKey}/login?returnTo=${encodeURIComponent(`/${urlKey}`)}`
}

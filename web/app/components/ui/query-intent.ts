/** The intent of a form or fetcher that only looks up similar readers. */
export const similarIntent = 'similar'

/** Whether a submission was only a query: it changed nothing, so nothing needs revalidation. */
export function isQueryIntent(fields: FormData | URLSearchParams | undefined): boolean {
  return fields?.get('intent') === similarIntent
}

import { maxSearchLength } from '#core/kernel/paging.ts'

/** The query of an address as a plain object, for the schema of a list; of repeated parameters the last one. */
export function listParams(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** The query of an address without a search that is too long: its box reports it, and the list is shown unfiltered. */
export function searchParams(request: Request): Record<string, string> {
  const { q, ...others } = listParams(request)
  return q === undefined || q.trim().length > maxSearchLength ? others : { ...others, q }
}

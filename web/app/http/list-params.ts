import { longestSearch } from '#core/kernel/paging.ts'

/** The query of an address as a plain object, for the schema of a list; of names that repeat, the last one. */
export function listParams(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/**
 * The same without a search of more characters than a list is searched for: its box says that they are too many, and the list stands as if
 * they had not been asked for.
 */
export function searchParams(request: Request): Record<string, string> {
  const { q, ...others } = listParams(request)
  return q === undefined || q.trim().length > longestSearch ? others : { ...others, q }
}

/** The query of an address as a plain object, for the schema of a list; of names that repeat, the last one. */
export function listParams(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

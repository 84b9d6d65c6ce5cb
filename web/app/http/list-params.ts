import { redirect } from '@remix-run/node'
import { maxSearchLength, type Page } from '#core/kernel/paging.ts'
import { withParams } from '../components/ui/link-params.ts'

/** The query of an address as a plain object, for the schema of a list; of repeated parameters the last one. */
export function listParams(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** The query of an address without a search that is too long: its box reports it, and the list is shown unfiltered. */
export function searchParams(request: Request): Record<string, string> {
  const { q, ...others } = listParams(request)
  return q === undefined || q.trim().length > maxSearchLength ? others : { ...others, q }
}

/** A loaded page of a list. A page number that is too high, because the link is old or rows were removed, is redirected to the last page. */
export function existingPage<List extends Pick<Page<unknown>, 'page' | 'pages'>>(request: Request, list: List): List {
  if (list.page <= list.pages) return list
  const { pathname, searchParams: params } = new URL(request.url)
  throw redirect(pathname + withParams(params, { page: list.pages }))
}

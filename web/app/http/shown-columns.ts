import { type AppLoadContext, redirect } from '@remix-run/node'
import { readCookie, setCookie } from './cookies.ts'

const year = 365 * 86_400

/**
 * The visible columns of a list in this browser: the last choice, if the list still has these columns; by default all but `hidden`. A
 * choice is sent as `columns=chosen` with a `column` for each, stored in a cookie, and removed from the address by a redirect, which this
 * throws.
 */
export function shownColumns(
  request: Request,
  context: Pick<AppLoadContext, 'isSecure'>,
  list: { name: string; columns: readonly string[]; hidden?: readonly string[] },
): string[] {
  const { name, columns, hidden = [] } = list
  const cookie = `${name}-columns`
  const url = new URL(request.url)
  if (url.searchParams.has('columns')) {
    const isReset = url.searchParams.get('columns') !== 'chosen'
    const chosen = columns.filter((column) => url.searchParams.getAll('column').includes(column))
    for (const param of ['columns', 'column']) url.searchParams.delete(param)
    throw redirect(`${url.pathname}${url.search}`, {
      headers: { 'Set-Cookie': setCookie(context, cookie, chosen.join('.'), isReset ? 0 : year) },
    })
  }
  const stored = readCookie(request, context, cookie)
  if (stored === undefined) return columns.filter((column) => !hidden.includes(column))
  const names = stored.split('.')
  return columns.filter((column) => names.includes(column))
}

import { type AppLoadContext, redirect } from '@remix-run/node'
import { readCookie, setCookie } from './cookies.ts'

const year = 365 * 86_400

/**
 * The columns of a list that this browser shows: those that were chosen last, of a list that knows these names; all but `hidden` where none
 * were. A choice comes as `columns=chosen` with a `column` for each, is kept in a cookie, and leaves the address as it was. Throws the
 * redirect there.
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
  const kept = readCookie(request, context, cookie)
  if (kept === undefined) return columns.filter((column) => !hidden.includes(column))
  const names = kept.split('.')
  return columns.filter((column) => names.includes(column))
}

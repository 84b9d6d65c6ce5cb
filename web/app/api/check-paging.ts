import { z } from 'zod'
import { invalid } from '#core/kernel/errors.ts'
import { PageNumber, PageSize, sortInput } from '#core/kernel/paging.ts'
import { parseInput } from '#core/kernel/parse-input.ts'
import type { ApiCall } from './api-call.ts'

/**
 * Refuses a page, size or sort that a screen would replace by its default: a program would take the rows for those that it asked for. `names`: the
 * parameters of the call, in its address or its body.
 */
export function checkPaging(names: Record<string, string>, sent: object, { sorts }: Pick<ApiCall, 'sorts'>): void {
  const checks = { page: PageNumber, size: PageSize, ...(sorts && { sort: sortInput(sorts) }) }
  const values = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => Object.hasOwn(names, name) && value !== null && value !== ''),
  )
  const parsed = parseInput(z.object(checks).partial(), values)
  if ('fields' in parsed) throw invalid(parsed.fields)
}

import type { RejectReason } from '#core/imports/import-report.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { printable } from './style.ts'

/** How many kinds of reasons are listed; the rest are in the file. */
const maxReasons = 10

/** Why rows were rejected, the commonest first. */
export function reasonLines(reasons: readonly RejectReason[]): string {
  const listed = reasons.slice(0, maxReasons)
  const width = Math.max(...listed.map(({ count }) => formatCount(count).length))
  const lines = listed.map(({ column, reason, count, firstLine }) => {
    const where = count === 1 ? `line ${firstLine}` : `first on line ${firstLine}`
    return `  ${formatCount(count).padStart(width)} × ${printable(`${column} ${reason}`.trim())} (${where})`
  })
  const more = reasons.length - listed.length
  return [...lines, ...(more > 0 ? [`  and ${countOf(more, 'other reason')}`] : [])].join('\n')
}

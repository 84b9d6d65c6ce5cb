import { type CsvCell, csvText } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { formatMinorUnits, type Money } from '../kernel/money.ts'
import type { Month } from '../ledger/months.rules.ts'
import { monthNames } from './year-chart.rules.ts'

/** A cell of a table, on the page and in the file: a text, a count, an amount in minor units, or a share (`part` of `whole`). */
export type GrowthCell =
  | { kind: 'text'; text: string }
  | { kind: 'count'; count: number }
  | { kind: 'money'; money: Money }
  /** `isSettled` is false while the number may still grow. */
  | { kind: 'share'; part: number; whole: number; isSettled: boolean }
  | { kind: 'none' }

export interface GrowthRow {
  label: string
  /** The row is for a month that is not over. */
  isSoFar?: boolean
  /** The path of a page with details. */
  to?: string
  cells: GrowthCell[]
}

/** One table of the growth page, the same on the page and in its file. */
export interface GrowthTable {
  title: string
  /** The heading of the label, then of each cell. */
  headings: string[]
  rows: GrowthRow[]
}

export const text = (words: string): GrowthCell => ({ kind: 'text', text: words })
export const count = (n: number): GrowthCell => ({ kind: 'count', count: n })
export const money = (value: Money): GrowthCell => ({ kind: 'money', money: value })
export const none: GrowthCell = { kind: 'none' }

/** A month as a label, such as Mar 2026. */
export function monthLabel(month: Month): string {
  return `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`
}

export function periodLabel(from: string, until: string): string {
  return `${formatDay(from)} to ${formatDay(until)}`
}

/**
 * Tables as CSV: each row begins with the title of its table. A share has two columns, the number and the percentage, so that numbers can be added.
 */
export function growthCsv(tables: readonly GrowthTable[]): string {
  return tables
    .map(({ title, headings, rows }, index) => {
      const isShare = (column: number) => rows.some(({ cells }) => cells[column]?.kind === 'share')
      const head = headings.flatMap((name, column) =>
        column > 0 && isShare(column - 1) ? [name, `${name} %`] : [name],
      )
      const lines = rows.map(({ label, cells }) => [
        title,
        label,
        ...cells.flatMap((cell, column) => cellValues(cell, isShare(column))),
      ])
      return (index > 0 ? '\r\n' : '') + csvText([['Table', ...head], ...lines])
    })
    .join('')
}

function cellValues(cell: GrowthCell, isShare: boolean): CsvCell[] {
  switch (cell.kind) {
    case 'text':
      return [cell.text]
    case 'count':
      return [{ number: String(cell.count) }]
    case 'money':
      return [{ number: formatMinorUnits(cell.money.amount) }]
    case 'share':
      return [
        { number: String(cell.part) },
        { number: cell.whole === 0 ? '' : ((cell.part * 100) / cell.whole).toFixed(1) },
      ]
    case 'none':
      return isShare ? ['', ''] : ['']
  }
}

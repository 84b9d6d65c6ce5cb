import { z } from 'zod'
import { formatDay } from '#core/kernel/dates.ts'
import { currencies, formatMinorUnits } from '#core/kernel/money.ts'

/** The id of a record. */
export const WireId = z.int()

/** An amount in the API: a string, so that no client parses it as a float by accident. */
export const WireAmount = z
  .string()
  .regex(/^-?\d+\.\d\d$/)
  .describe('Decimals, such as "29.99"')

export const WireCurrency = z.enum(currencies)

export const WireDay = z.string().describe('DD/MM/YYYY')

export const IsoDay = z.iso.date()

/** A page of a list, with the counts that pagination needs. */
export function wirePage<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), total: z.int(), page: z.int(), size: z.int(), pages: z.int() })
}

/** The query of every list. */
export const pagesQuery = { page: 'page', size: 'size' }

/** The query of a list that can be searched and sorted. */
export const pageQuery = { ...pagesQuery, sort: 'sort', q: 'q' }

export const wireAmount = formatMinorUnits

export function wireDay(day: string | null): string | null {
  return day === null ? null : formatDay(day)
}

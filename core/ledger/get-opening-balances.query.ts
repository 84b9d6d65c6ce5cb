import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { closedBy, LedgerCloseStates } from './ledger-close-states.rows.ts'
import { openingOwed } from './opening-balances.query.ts'
import { OpeningBalances } from './opening-balances.rows.ts'

/** The opening balances of a title. Amounts in minor units. */
export interface OpeningBalancesView {
  on: Day
  readers: number
  takenAt: Date
  takenBy: string
  /** The month of the take-over is open, so the take-over can be undone. */
  isUndoable: boolean
  sums: { currency: Currency; product: Product; readers: number; takenOver: number; owedNow: number }[]
}

/** The opening balances of one of the acting publisher's titles; null if none were taken over. */
export const getOpeningBalances = useCase({
  permission: 'ledger:opening',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<OpeningBalancesView | null> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    const opening = await OpeningBalances.find(ctx, { publicationId, undoneAt: null })
    if (!opening) return null
    const { id, takenOn: on, readers, takenBy } = opening
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const sums = await ctx.db.query<Omit<OpeningBalancesView['sums'][number], 'owedNow'>>(
      `SELECT currency, product, SUM(readers) AS readers, SUM(taken_over) AS "takenOver" FROM opening_balance_terms
         WHERE opening_id = :id GROUP BY currency, product ORDER BY product DESC`,
      { id },
    )
    const owed = await openingOwed(ctx, { publisherId, publicationId, on: today })
    const state = await LedgerCloseStates.find(ctx, { publisherId })
    const [user] = await ctx.db.query<{ name: string }>(
      `SELECT TRIM(first_name || ' ' || last_name) AS name FROM users WHERE id = :id`,
      { id: takenBy },
    )
    return {
      on,
      readers,
      takenAt: opening.takenAt,
      takenBy: user?.name || 'the system',
      isUndoable: !closedBy(state?.closedUntil ?? null)(on),
      sums: currencies.flatMap((currency) =>
        sums
          .filter((row) => row.currency === currency)
          .map(({ product, readers, takenOver }) => ({
            currency,
            product,
            readers: Number(readers),
            takenOver: Number(takenOver),
            owedNow: owed.find((row) => row.currency === currency && row.product === product)?.owed ?? 0,
          })),
      ),
    }
  },
})

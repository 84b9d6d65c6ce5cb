import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

export const BackIssues = defineTable('back_issues', {
  id: id(),
  publicationId: ref(),
  volume: text(),
  description: defaulted(text()),
  /** Null is unlimited. */
  stock: nullable(integer()),
  price: nullable(integer()),
  priceUs: nullable(integer()),
  priceEu: nullable(integer()),
  postage: nullable(integer()),
  postageUs: nullable(integer()),
  postageEu: nullable(integer()),
  coverImage: nullable(text()),
  removedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type BackIssueRow = RowOf<typeof BackIssues>

/** Takes one copy of an issue on sale; returns the remaining stock (null: unlimited), or undefined if it is sold out. */
export async function takeCopy(ctx: AppContext, id: number): Promise<number | null | undefined> {
  const [issue] = await ctx.db.query<{ stock: number | null }>(
    `UPDATE back_issues SET stock = stock - 1, updated_at = :now
     WHERE id = :id AND removed_at IS NULL AND (stock IS NULL OR stock > 0) RETURNING stock`,
    { id, now: ctx.now() },
  )
  return issue?.stock
}

/** Takes one copy for an order that was paid after all, even of an issue that is no longer on sale; false if it is sold out. */
export async function retakeCopy(ctx: AppContext, id: number): Promise<boolean> {
  const changedRows = await ctx.db.run(
    `UPDATE back_issues SET stock = stock - 1, updated_at = :now WHERE id = :id AND (stock IS NULL OR stock > 0)`,
    { id, now: ctx.now() },
  )
  return changedRows > 0
}

export async function returnCopy(ctx: AppContext, id: number): Promise<void> {
  await ctx.db.run(`UPDATE back_issues SET stock = stock + 1, updated_at = :now WHERE id = :id AND stock IS NOT NULL`, {
    id,
    now: ctx.now(),
  })
}

import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { day, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'
import type { EffortChannel, EffortKind } from './series.rules.ts'

/**
 * Where an effort stands. `due`: its mail is left to be sent, or its letter waits to be produced. `produced`: its letter is in a file.
 * `skipped`: its day was missed and a newer one took its place, or the end moved after it had gone.
 */
export type ReaderEffortState = 'due' | 'produced' | 'skipped'

/** What one reader got, or was to get, about one end of the subscription: each effort once for its reader and that end. */
export const ReaderEfforts = defineTable('reader_efforts', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  readerId: ref(),
  /** The offer to a list that it is one of; null: of the series. */
  blanketId: nullable(ref()),
  /** The last day of the term that it is about. */
  cycleOn: day(),
  /** Which effort of the series: its days after that day, before it where negative. */
  dayOffset: integer(),
  state: text<ReaderEffortState>(),
  plannedOn: day(),
  kind: text<EffortKind>(),
  channel: text<EffortChannel>(),
  /** Which of two texts. */
  variant: text<'a' | 'b'>(),
  /** Whom it is written to: the reader, or the donor of a gift. */
  addressee: text<'reader' | 'buyer'>(),
  /** The effort whose mail names this record too; null: it has a mail of its own. */
  togetherWith: nullable(ref()),
  /** The plan and what it costs by this effort's link, before the promo code; null where the reader chooses. */
  product: nullable(text<Product>()),
  termMonths: nullable(integer<TermMonths>()),
  price: nullable(integer()),
  currency: nullable(text<Currency>()),
  promoCodeId: nullable(ref()),
  /** The last day on which its link opens anything. */
  goodUntil: day(),
  /** When its link was first opened. */
  openedAt: nullable(instant()),
  /** The order that renewed after it. */
  orderId: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Notes that somebody opened the link of an effort; the first time stays. */
export async function noteEffortOpened(ctx: AppContext, id: number): Promise<void> {
  await ReaderEfforts.update(ctx, { id, openedAt: null }, { openedAt: ctx.now() })
}

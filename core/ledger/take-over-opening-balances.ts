import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { countOf, quoted } from '../kernel/text-format.ts'
import { ownPublication, refuseExample } from '../publications/own-publication.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { closedBy, LedgerCloseStates, lockedCloseState } from './ledger-close-states.rows.ts'
import { insertOpeningTerms, removeOpeningTerms } from './opening-balance-terms.rows.ts'
import { OpeningBalances } from './opening-balances.rows.ts'
import { type OpeningFigures, openingReaders } from './opening-readers.query.ts'

const input = z.object({
  publicationId: z.coerce.number('Must be a number').int(),
  /** The day on which the title moves here: what is not delivered by its end is owed. */
  on: DayInput,
})

/** The result of a take-over on a day. */
export interface TakenOverBalances extends OpeningFigures {
  publicationId: number
  publicationName: string
  on: Day
}

/** Shows the result of taking over opening balances, without changing anything. */
export const previewOpeningBalances = useCase({
  permission: 'ledger:opening',
  input,
  transaction: 'none',
  async run(ctx, { publicationId, on }): Promise<TakenOverBalances> {
    const publication = await ownPublication(ctx, { id: publicationId })
    refuseExample(publication, 'owes nothing to anybody')
    const { publisherId } = publication
    const closedUntil = (await LedgerCloseStates.find(ctx, { publisherId }))?.closedUntil ?? null
    const day = await requireTakeOverDay(ctx, publication, on, closedUntil)
    const figures = await openingReaders(ctx, { publicationId, on: day })
    return { publicationId, publicationName: publication.publicationName, on: day, ...figures }
  },
})

/**
 * Takes over what a title owes its readers, on a day, for terms that another system sold: for each reader whose term runs past that day and who has
 * no order here, the part of SubPaid for the months still to come. Possible once per title; later changes of the readers do not affect it.
 */
export const takeOverOpeningBalances = useCase({
  permission: 'ledger:opening',
  input: input.extend({
    /** The number of readers in the preview: the take-over is refused if it has changed. */
    readers: z.coerce.number('Must be a number').int().optional(),
  }),
  async run(ctx, { publicationId, on, readers }): Promise<TakenOverBalances> {
    const publication = await ownPublication(ctx, { id: publicationId })
    refuseExample(publication, 'owes nothing to anybody')
    const { publisherId, publicationName } = publication
    const { closedUntil } = await lockedCloseState(ctx, publisherId)
    const day = await requireTakeOverDay(ctx, publication, on, closedUntil)
    const id = await OpeningBalances.insert(ctx, {
      publisherId,
      publicationId,
      takenOn: day,
      readers: 0,
      takenAt: ctx.now(),
      takenBy: actorColumns(ctx.actor).actorId,
    })
    const figures = await openingReaders(ctx, { publicationId, on: day }, (terms) => insertOpeningTerms(ctx, id, terms))
    if (figures.readers === 0)
      throw conflict(`No reader of ${quoted(publicationName)} has paid for a term that runs past ${formatDay(day)}`, {
        hint: 'SubPaid, SubStart and SubExpiry say what was paid for. Import them, or choose an earlier day.',
      })
    if (readers !== undefined && readers !== figures.readers)
      throw conflict(`The readers have changed: ${countOf(figures.readers, 'reader')} now, ${readers} before`, {
        hint: 'Check the figures again, then take them over.',
      })
    await OpeningBalances.update(ctx, { id }, { readers: figures.readers })
    await recordAudit(
      ctx,
      'take-opening',
      { type: 'publication', id: publicationId, publisherId },
      { on: day, readers: figures.readers },
    )
    return { publicationId, publicationName, on: day, ...figures }
  },
})

/** Undoes a take-over, unless its month is closed: its amounts are no longer owed, and opening balances can be taken over again. */
export const undoOpeningBalances = useCase({
  permission: 'ledger:opening',
  input: input.pick({ publicationId: true }),
  async run(ctx, { publicationId }): Promise<{ publicationName: string; on: Day; readers: number }> {
    const { publisherId, publicationName } = await ownPublication(ctx, { id: publicationId })
    const { closedUntil } = await lockedCloseState(ctx, publisherId)
    const opening = await OpeningBalances.find(ctx, { publicationId, undoneAt: null })
    if (!opening) throw conflict(`${quoted(publicationName)} has no opening balances to undo`)
    const { id, takenOn, readers } = opening
    if (closedBy(closedUntil)(takenOn))
      throw conflict(`The opening balances of ${formatDay(takenOn)} are in a closed month`, {
        hint: 'Reopen the later months first, starting with the last one.',
      })
    await OpeningBalances.update(
      ctx,
      { id, undoneAt: null },
      { undoneAt: ctx.now(), undoneBy: actorColumns(ctx.actor).actorId },
    )
    await removeOpeningTerms(ctx, id)
    await recordAudit(
      ctx,
      'undo-opening',
      { type: 'publication', id: publicationId, publisherId },
      { on: takenOn, readers },
    )
    return { publicationName, on: takenOn, readers }
  },
})

/** The day, if opening balances of the publication can be taken over on it now; throws otherwise. */
async function requireTakeOverDay(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  { id, publicationName }: PublicationRow,
  on: Day | undefined,
  closedUntil: Day | null,
): Promise<Day> {
  const opening = await OpeningBalances.find(ctx, { publicationId: id, undoneAt: null })
  if (opening)
    throw conflict(`${quoted(publicationName)} already has opening balances, of ${formatDay(opening.takenOn)}`, {
      hint: 'They are taken over once. Undo them first.',
    })
  if (on === undefined) throw invalid({ on: 'Enter the day the title moves here, such as 31/12/2026' })
  if (on > dayOf(ctx.now(), ctx.settings.timeZone)) throw invalid({ on: 'Choose today or a day before it' })
  if (closedUntil !== null && closedBy(closedUntil)(on))
    throw invalid({ on: `The months up to ${formatDay(closedUntil)} are closed: choose a later day` })
  return on
}

import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf, daysBetween } from '../kernel/calendar.ts'
import { conflict } from '../kernel/errors.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { ownTask } from '../tasks/own-task.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { type BlanketOfferRow, BlanketOffers } from './blanket-offers.rows.ts'
import { audienceOf, getBlanketOffer, type OfferResults, ownOffer, recordOffer } from './blanket-offers.ts'
import {
  countChosen,
  nextChosen,
  type OfferAudience,
  offeredReaders,
  otherRecordsChosen,
} from './offered-readers.query.ts'
import { linkOffer, pricesOf, queueEfforts } from './queue-efforts.ts'
import { addReaderEfforts } from './reader-efforts.rows.ts'
import { lockSeries } from './renewal-series.rows.ts'

const id = z.coerce.number('Must be a number').int()

export type OfferProgress = (processed: number) => void

/**
 * Sends an offer, once to each reader: as a task of the worker or, with `isWaiting`, before this returns. An offer that was interrupted resumes with
 * the readers who have not got it; one that was sent, or is being sent, is refused, and with `version` a draft that was changed since it was shown.
 * `isStopped`: the signal or a user interrupted it.
 */
export const sendBlanketOffer = useCase({
  permission: 'renewal:settings',
  input: z.object({
    id,
    version: z.string().default(''),
    isWaiting: z.boolean().default(false),
    onProgress: z.custom<OfferProgress>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(
    ctx,
    { id: offerId, version, isWaiting, onProgress, signal },
  ): Promise<OfferResults & { isStopped: boolean }> {
    const begin = <Started>(start: (work: TaskRequest) => Promise<Started>) =>
      ctx.db.transaction(() => beginSending(ctx, { id: offerId, version }, start))
    if (isWaiting) {
      const task = await begin((work) => startInline<Cursor>(ctx, 'send-offer', work))
      await runInline(ctx, offerHandler(onProgress), task, signal)
    } else await begin((work) => startTask(ctx, 'send-offer', work))
    const { offer } = await getBlanketOffer(ctx, { id: offerId })
    return { ...offer.results, isStopped: offer.state === 'stopped' }
  },
})

async function beginSending<Started>(
  ctx: AppContext,
  { id: offerId, version }: { id: number; version: string },
  start: (work: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const offer = await ownOffer(ctx, offerId, { isLocked: true })
  if (version !== '' && offer.sentOn === null && version !== recordVersion(offer))
    throw conflict('Somebody has changed this offer since it was shown', {
      hint: 'Nothing was sent. Check the offer as it is now, then send it.',
    })
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  if (offer.validUntil < today) throw conflict('The last day of this offer has passed', { hint: 'Choose a later one.' })
  const { isAccountOn, audience } = await audienceOf(ctx, offer)
  if (!isAccountOn)
    throw conflict('The account does not send renewal emails', {
      hint: 'Tick “Send automated subscription renewal emails” in My Account.',
    })
  if (offer.sentOn !== null) {
    const task = await ownTask(ctx, 'send-offer', offer.id)
    if (task.state === 'done') throw conflict('This offer has already been sent', { hint: 'Create a new one.' })
  }
  await BlanketOffers.update(ctx, { id: offer.id }, { sentOn: today })
  await recordOffer(ctx, 'send-blanket-offer', offer)
  return start({
    publication: { id: offer.publicationId, publisherId: offer.publisherId },
    subjectId: offer.id,
    // Two concurrent offers would not know each other's recipients.
    lockKey: `offers:${offer.publicationId}`,
    total: await countChosen(ctx, audience),
    busy: () => conflict('Another offer of this publication is being sent', { hint: 'Wait until it has finished.' }),
  })
}

/** Stops an offer that is being sent. Emails that are already queued are still sent. */
export const stopBlanketOffer = useCase({
  permission: 'renewal:settings',
  input: z.object({ id }),
  async run(ctx, input): Promise<{ isStopped: boolean }> {
    const offer = await ownOffer(ctx, input.id, { isLocked: true })
    const task = await ownTask<Cursor>(ctx, 'send-offer', offer.id)
    if (!(await cancelTask(ctx, offerHandler(), task))) return { isStopped: false }
    await recordOffer(ctx, 'stop-blanket-offer', offer)
    return { isStopped: true }
  },
})

interface Cursor {
  /** The last reader that was processed. */
  after: number
}

/** How many readers are processed in one transaction; on SQLite, other writers wait for it. */
const chunkSize = 500

/** The task: processes the chosen readers in the order of their ids, and queues an email for each person in a chunk. */
export function offerHandler(onProgress?: OfferProgress): TaskHandler<Cursor> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const offer = await ownOffer(ctx, task.subjectId ?? -1)
      let after = task.cursor?.after ?? 0
      let done = task.cursor === null ? 0 : task.done
      return {
        async step() {
          const { isAccountOn, audience } = await audienceOf(ctx, offer)
          if (!isAccountOn) throw conflict('The account no longer sends renewal emails')
          const ids = await nextChosen(ctx, audience, { after, limit: chunkSize })
          if (ids.length > 0)
            await offerTo(ctx, offer, audience, [...ids, ...(await otherRecordsChosen(ctx, audience, ids))])
          after = ids.at(-1) ?? after
          done += ids.length
          onProgress?.(done)
          return { cursor: { after }, done, isLast: ids.length < chunkSize }
        },
      }
    },
  }
}

async function offerTo(
  ctx: AppContext,
  offer: BlanketOfferRow,
  audience: OfferAudience,
  ids: readonly number[],
): Promise<void> {
  const { publicationId, publisherId, name, offerPercent, validUntil } = offer
  const { on } = audience
  // The lock keeps the series from planning meanwhile: no reader gets an email of both on one day.
  await lockSeries(ctx, publicationId)
  const due = await offeredReaders(ctx, audience, ids)
  const prices = await pricesOf(ctx, publicationId)
  const added = await addReaderEfforts(
    ctx,
    { publicationId, publisherId, blanketId: offer.id, plannedOn: on },
    due.map((reader) => ({
      readerId: reader.readerId,
      cycleOn: reader.cycleOn,
      state: 'due',
      dayOffset: daysBetween(reader.cycleOn, on),
      kind: 'offer',
      channel: 'mail',
      variant: 'a',
      addressee: reader.isToBuyer ? 'buyer' : 'reader',
      ...linkOffer(reader, offer, prices, audience.homeCountry),
      validUntil,
    })),
  )
  const emails = new Map(due.map(({ readerId, email }) => [readerId, email]))
  await queueEfforts(
    ctx,
    { publicationId, publisherId, on },
    added.map(({ id: effortId, readerId, termMonths }) => ({
      id: effortId,
      readerId,
      termMonths,
      email: emails.get(readerId) ?? '',
      kind: 'offer',
      channel: 'mail',
      promo: offerPercent === null ? null : { name, discountPercent: offerPercent, endsOn: validUntil },
    })),
  )
}

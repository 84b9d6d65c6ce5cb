import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asNullableInstant } from '../database.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { unknownCountryMessage } from '../kernel/countries.ts'
import { type Day, formatDay, parseDay } from '../kernel/dates.ts'
import { DayInput, notADay } from '../kernel/day-input.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { Country, linesText, lineText, requiredText } from '../kernel/form-fields.ts'
import type { Currency } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import type { WorkProgress } from '../kernel/progress-text.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { products } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { ownPublication, refuseExample } from '../publications/own-publication.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { runSeconds, type TaskState } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { type BlanketOfferRow, BlanketOffers, offeredStatuses } from './blanket-offers.rows.ts'
import type { ReachedReader } from './due-efforts.query.ts'
import type { ExclusionReason } from './exclusions.query.ts'
import { countOffered, listOffered, type OfferAudience } from './offered-readers.query.ts'
import { blankIsNull, OfferInput } from './renewal-series.input.ts'
import { runningSeries } from './running-series.query.ts'
import { type EffortOffer, effortTextProblems, offerProblem } from './series.rules.ts'
import { unsoldBands } from './unsold-bands.rules.ts'

const publicationId = z.coerce.number('Must be a number').int()
const id = z.coerce.number('Must be a number').int()

const OptionalDay = DayInput.transform((day): Day | null => day ?? null)

/** The recipients of an offer, and its content. */
const BlanketOfferInput = z.object({
  publicationId,
  name: requiredText(100),
  status: z.enum(offeredStatuses, 'Choose a subscription status').default('any'),
  endsFrom: OptionalDay,
  endsUntil: OptionalDay,
  product: z.preprocess(blankIsNull, z.enum(products, 'Choose a product').nullable()),
  country: z.union([z.literal(''), Country], unknownCountryMessage).default(''),
  ...OfferInput,
  /** The last day on which the links and codes are valid. */
  validUntil: z
    .string('Required')
    .trim()
    .min(1, 'Required')
    .transform((text, context): Day => {
      const day = parseDay(text)
      if (day === null) context.addIssue({ code: 'custom', message: notADay })
      return day ?? z.NEVER
    }),
  subject: lineText(200).default(''),
  body: linesText(20_000).default(''),
})

/** The longest time that the links and codes are valid. */
const maxValidDays = 366

function requireValidOffer(
  ctx: AppContext,
  { endsFrom, endsUntil, validUntil, subject, body, ...offer }: z.output<typeof BlanketOfferInput>,
): void {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const problems = effortTextProblems({ subject, body })
  if (endsFrom && endsUntil && endsFrom > endsUntil) problems.endsUntil = 'Must not be before the first day'
  if (validUntil < today) problems.validUntil = 'Must not be in the past'
  if (validUntil > addDays(today, maxValidDays))
    problems.validUntil = `Enter a date no later than ${formatDay(addDays(today, maxValidDays))}`
  const contentProblem = offerProblem(offer)
  if (contentProblem) problems[contentProblem.field] = contentProblem.message
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Stores an offer to chosen readers as a draft, or changes a draft. Nothing is sent. */
export const saveBlanketOffer = useCase({
  permission: 'renewal:settings',
  input: BlanketOfferInput.extend({ id: z.preprocess(blankIsNull, id.nullable()), basedOn: BasedOn }),
  async run(ctx, { id: draftId, basedOn, ...offer }): Promise<{ id: number }> {
    const title = await ownPublication(ctx, { id: offer.publicationId })
    refuseExample(title, 'its readers get no offers')
    requireValidOffer(ctx, offer)
    const draft = { ...offer, publicationId: title.id, publisherId: title.publisherId }
    if (draftId !== null) {
      refuseOutdated(basedOn, await ownDraft(ctx, draftId), offer)
      await BlanketOffers.update(ctx, { id: draftId, sentOn: null }, draft)
    }
    const savedId = draftId ?? (await BlanketOffers.insert(ctx, draft))
    await recordOffer(ctx, 'save-blanket-offer', { ...draft, id: savedId })
    return { id: savedId }
  },
})

/** Deletes an offer that was never sent. */
export const removeBlanketOffer = useCase({
  permission: 'renewal:settings',
  input: z.object({ id }),
  async run(ctx, input): Promise<void> {
    const draft = await ownDraft(ctx, input.id)
    await BlanketOffers.remove(ctx, { id: draft.id, sentOn: null })
    await recordOffer(ctx, 'remove-blanket-offer', draft)
  },
})

async function ownDraft(ctx: AppContext, offerId: number): Promise<BlanketOfferRow> {
  const offer = await ownOffer(ctx, offerId, { isLocked: true })
  if (offer.sentOn !== null)
    throw conflict('This offer has been sent and can no longer be changed', { hint: 'Create a new one.' })
  return offer
}

/** An offer of the acting publisher; another publisher's offer is not found. */
export async function ownOffer(
  ctx: AppContext,
  offerId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<BlanketOfferRow> {
  const offer = await BlanketOffers.find(ctx, { id: offerId }, { isLocked })
  if (!offer) throw notFound('This offer')
  await ownPublication(ctx, { id: offer.publicationId })
  return offer
}

export function recordOffer(
  ctx: AppContext,
  action: 'save-blanket-offer' | 'remove-blanket-offer' | 'send-blanket-offer' | 'stop-blanket-offer',
  {
    id: blanketId,
    publicationId: titleId,
    publisherId,
    name,
  }: Pick<BlanketOfferRow, 'id' | 'publicationId' | 'publisherId' | 'name'>,
): Promise<void> {
  return recordAudit(ctx, action, { type: 'publication', id: titleId, publisherId }, { name, offer: blanketId })
}

/** How many readers an offer would reach today. */
export interface OfferReach {
  /** The account sends renewal emails; otherwise nothing is sent. */
  isAccountOn: boolean
  readers: number
  excluded: { reason: ExclusionReason; text: string; readers: number }[]
  /** The regions where the offered plan is not sold, so that the links there offer another one, or none. */
  unsoldIn: Band[]
}

/** How many readers an offer that is not stored yet would reach. */
export const previewBlanketOffer = useCase({
  permission: 'renewal:read',
  input: BlanketOfferInput,
  transaction: 'none',
  async run(ctx, offer): Promise<OfferReach> {
    const title = await ownPublication(ctx, { id: offer.publicationId })
    requireValidOffer(ctx, offer)
    const { isAccountOn, audience } = await audienceOf(ctx, { ...offer, ...title, id: null })
    return { isAccountOn, ...(await countOffered(ctx, audience)), unsoldIn: await unsoldIn(ctx, title, offer) }
  },
})

async function unsoldIn(
  ctx: AppContext,
  { urlKey }: { urlKey: string },
  { country, ...offer }: EffortOffer & Pick<BlanketOfferRow, 'country'>,
): Promise<Band[]> {
  const { publisher, ...list } = await getStorefront(ctx, { urlKey, includeClosed: true })
  return unsoldBands(offer, list, { country, publisher })
}

/** The readers an offer is for today, and whether anything may be sent to them. */
export async function audienceOf(
  ctx: AppContext,
  {
    id: blanketId,
    publicationId: titleId,
    publisherId,
    ...filter
  }: Pick<
    BlanketOfferRow,
    'publicationId' | 'publisherId' | 'status' | 'endsFrom' | 'endsUntil' | 'product' | 'country'
  > & {
    id: number | null
  },
): Promise<{ isAccountOn: boolean; audience: OfferAudience }> {
  const title = { publicationId: titleId, publisherId }
  // The title's own switch applies only to the series: an offer is sent manually.
  const [series] = await runningSeries(ctx, { ...title, includeOff: true })
  if (!series) throw conflict('Nothing is sent to the readers of an example title')
  return {
    isAccountOn: series.isAccountOn,
    audience: {
      publicationId: titleId,
      blanketId,
      homeCountry: series.homeCountry,
      filter,
      on: dayOf(ctx.now(), ctx.settings.timeZone),
    },
  }
}

/** The results of a sent offer. */
export interface OfferResults {
  /** Readers the offer was planned for, and those whose email the mail server accepted. */
  planned: number
  sent: number
  opened: number
  renewed: number
  /** The revenue of the renewal orders, without those that were refunded in full, in minor units. */
  money: { currency: Currency; amount: number }[]
}

/** An offer as staff see it. */
export interface BlanketOfferView extends Omit<BlanketOfferRow, 'createdAt' | 'updatedAt' | 'publisherId'> {
  state: 'draft' | 'sending' | 'sent' | 'stopped'
  /** Why it stopped; null if staff stopped it, or if it did not stop. */
  problem: string | null
  /** The progress of sending: readers processed, and their total. */
  progress: WorkProgress
  results: OfferResults
}

/** The offers of a title, newest first, with their results. */
export const listBlanketOffers = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId }),
  transaction: 'none',
  async run(ctx, input): Promise<BlanketOfferView[]> {
    const title = await ownPublication(ctx, { id: input.publicationId })
    return offerViews(ctx, 'f.publication_id = :id', title.id)
  },
})

/** One offer; for a draft, also how many readers it would reach today. `version` identifies its state (`recordVersion`). */
export const getBlanketOffer = useCase({
  permission: 'renewal:read',
  input: z.object({ id }),
  transaction: 'none',
  async run(ctx, input): Promise<{ offer: BlanketOfferView; version: string; reach: OfferReach | null }> {
    const stored = await ownOffer(ctx, input.id)
    const [offer] = await offerViews(ctx, 'f.id = :id', stored.id)
    if (!offer) throw notFound('This offer')
    const version = recordVersion(stored)
    if (offer.state !== 'draft') return { offer, version, reach: null }
    const { isAccountOn, audience } = await audienceOf(ctx, stored)
    const title = await ownPublication(ctx, { id: stored.publicationId })
    const reach = { isAccountOn, ...(await countOffered(ctx, audience)), unsoldIn: await unsoldIn(ctx, title, stored) }
    return { offer, version, reach }
  },
})

/** The readers whom a draft would reach, then those it would not, page by page. */
export const previewOfferedReaders = useCase({
  permission: 'renewal:read',
  input: PageInput.extend({ id }),
  transaction: 'none',
  async run(ctx, { id: offerId, ...query }): Promise<Page<ReachedReader>> {
    const { audience } = await audienceOf(ctx, await ownOffer(ctx, offerId))
    const { readers, excluded } = await countOffered(ctx, audience)
    const total = excluded.reduce((sum, reason) => sum + reason.readers, readers)
    return pageOf(await listOffered(ctx, audience, query), total, query)
  },
})

interface TaskColumns {
  taskState: TaskState | null
  problem: string | null
  done: number | null
  total: number | null
  token: number | null
  startedAt: Date | string | null
}

async function offerViews(ctx: AppContext, condition: string, conditionId: number): Promise<BlanketOfferView[]> {
  const rows = await BlanketOffers.rows<TaskColumns>(
    ctx,
    `SELECT ${BlanketOffers.columns('f')}, t.state AS "taskState", t.problem, t.done, t.total, t.token, t.started_at AS "startedAt"
     FROM blanket_offers f LEFT JOIN tasks t
       ON t.id = (SELECT MAX(x.id) FROM tasks x WHERE x.kind = 'send-offer' AND x.subject_id = f.id)
     WHERE ${condition} ORDER BY f.id DESC`,
    { id: conditionId },
  )
  const results = await offerResults(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map(({ taskState, problem, createdAt: _, updatedAt: __, publisherId: ___, ...row }) => {
    const { done, total, token, startedAt, ...offer } = row
    const since = asNullableInstant(startedAt)
    const seconds = runSeconds({ token: Number(token), startedAt: since }, ctx.now())
    return {
      ...offer,
      state: stateOf(offer.sentOn, taskState),
      problem: taskState === 'failed' || taskState === 'interrupted' ? problem : null,
      progress: { phase: null, done: Number(done ?? 0), total: Number(total ?? 0), seconds },
      results: results.get(offer.id) ?? { planned: 0, sent: 0, opened: 0, renewed: 0, money: [] },
    }
  })
}

function stateOf(sentOn: Day | null, task: TaskState | null): BlanketOfferView['state'] {
  if (sentOn === null || task === null) return 'draft'
  if (task === 'done') return 'sent'
  return task === 'waiting' || task === 'running' ? 'sending' : 'stopped'
}

async function offerResults(ctx: AppContext, ids: readonly number[]): Promise<Map<number, OfferResults>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.query<
    Omit<OfferResults, 'money'> & { id: number; currency: Currency | null; amount: number | null }
  >(
    `SELECT e.blanket_id AS id, COUNT(*) AS planned, SUM(CASE WHEN m.state = 'sent' THEN 1 ELSE 0 END) AS sent,
       SUM(CASE WHEN e.opened_at IS NOT NULL THEN 1 ELSE 0 END) AS opened,
       SUM(CASE WHEN o.id IS NOT NULL THEN 1 ELSE 0 END) AS renewed, o.currency, SUM(o.amount) AS amount
     FROM reader_efforts e LEFT JOIN orders o ON o.id = e.order_id AND o.state = 'paid'
       LEFT JOIN emails m ON m.email_key = 'renewal-effort:' || COALESCE(e.together_with, e.id)
     WHERE e.blanket_id IN (:ids) GROUP BY e.blanket_id, o.currency ORDER BY e.blanket_id, o.currency`,
    { ids: [...ids] },
  )
  const results = new Map<number, OfferResults>()
  for (const { id: offerId, currency, amount, ...counts } of rows) {
    const result = results.get(Number(offerId)) ?? { planned: 0, sent: 0, opened: 0, renewed: 0, money: [] }
    results.set(Number(offerId), result)
    for (const name of ['planned', 'sent', 'opened', 'renewed'] as const) result[name] += Number(counts[name])
    if (currency !== null) result.money.push({ currency, amount: Number(amount) })
  }
  return results
}

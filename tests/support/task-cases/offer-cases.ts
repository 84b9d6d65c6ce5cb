import type { AppContext } from '#core/context.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { sendBlanketOffer } from '#core/series/send-blanket-offer.ts'
import { copyReader, makeReader } from '../readers.ts'
import { paidOrder, sendRenewalEmails } from '../series.ts'
import type { TestServices } from '../test-services.ts'
import { type CaseTarget, newest, numbers, type TaskCase } from './task-case.ts'

/** More offers than are written in one transaction. */
const offered = 1100

/** Offers to many readers. */
export const offerCases: Record<string, TaskCase> = {
  'an offer to chosen readers': {
    kind: 'send-offer',
    prepare: makeOffered,
    worker: {
      start: async (target) => sendBlanketOffer(target.ctx, { id: await newest(target, 'blanket_offers') }),
      commits: 4,
    },
    inline: {
      start: async (target) =>
        sendBlanketOffer(target.ctx, { id: await newest(target, 'blanket_offers'), isWaiting: true }),
      commits: 5,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT count(*) AS efforts, count(DISTINCT e.reader_id) AS readers, count(DISTINCT e.promo_code_id) AS codes,
           (SELECT count(*) FROM promo_codes WHERE publication_id = :id) AS made,
           (SELECT count(*) FROM jobs j JOIN reader_efforts x ON j.dedupe_key LIKE '%renewal-effort:' || x.id
             WHERE x.publication_id = :id) AS emails
         FROM reader_efforts e WHERE e.publication_id = :id`,
        publicationId,
      ),
    expected: { efforts: offered, readers: offered, codes: offered, made: offered, emails: offered },
    next: async (target) => saveBlanketOffer(target.ctx, offerOf(target)),
  },
}

const todayOf = (ctx: AppContext) => dayOf(ctx.now(), ctx.settings.timeZone)

const offerOf = ({ ctx, publicationId }: Pick<CaseTarget, 'ctx' | 'publicationId'>) => ({
  publicationId,
  id: null,
  name: 'Summer',
  status: 'ended',
  offerPercent: '20',
  validUntil: formatDay(addDays(todayOf(ctx), 60)),
})

/** Lapsed readers who bought here, and the draft of an offer to them; its emails wait for a worker. */
async function makeOffered(services: TestServices, { ctx, publicationId }: CaseTarget): Promise<void> {
  const [title] = await services.db.query<{ publisherId: number }>(
    `SELECT publisher_id AS "publisherId" FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const publisherId = Number(title?.publisherId)
  await sendRenewalEmails(services, publisherId)
  const ended = addDays(todayOf(ctx), -100)
  const fields = { subEndOn: ended, subStartOn: addDays(ended, -364), subType: 'print', subPaid: 2999 } as const
  await copyReader(services, await makeReader(services, publicationId, fields), offered - 1)
  const readers = await services.db.query<{ id: number }>(
    `SELECT id FROM readers WHERE publication_id = :publicationId`,
    {
      publicationId,
    },
  )
  for (const { id } of readers) {
    await services.db.run(`UPDATE readers SET email = :email, key_email = :email, pub_offers = :no WHERE id = :id`, {
      id,
      email: `reader-${id}@example.test`,
      no: false,
    })
    await paidOrder(services, { readerId: id, publicationId, publisherId }, { on: addDays(ended, -364) })
  }
  await saveBlanketOffer(ctx, offerOf({ ctx, publicationId }))
}

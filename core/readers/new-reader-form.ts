import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { fixReferenceShift } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import type { OwnPublication } from './own-reader-row.ts'
import { type QuestionLetter, questionLetters } from './reader-fields.rules.ts'
import { referenceInitials, referenceRange, uniqueReference } from './unique-reference.rules.ts'

/** What a form for readers of a publication needs to know. */
export interface ReaderFormFacts {
  publicationId: number
  publicationName: string
  homeCountry: string
  mainCurrency: Currency
  questions: { letter: QuestionLetter; question: string }[]
  today: Day
  /** Whether a provider of postcode addresses is set up. */
  findsAddresses: boolean
}

/** The facts of an empty form, with the reference that the next reader would get. It is not reserved yet. */
export const newReaderForm = useCase({
  permission: 'reader:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<ReaderFormFacts & { referenceOffered: string }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    return { ...(await formFacts(ctx, publication)), referenceOffered: await nextFreeReference(ctx, publication) }
  },
})

/** The facts of a form for one of the publication's readers. */
export const readerFormFacts = useCase({
  permission: 'reader:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  run: async (ctx, { publicationId }): Promise<ReaderFormFacts> =>
    formFacts(ctx, await ownPublication(ctx, { id: publicationId })),
})

async function formFacts(ctx: AppContext, publication: OwnPublication): Promise<ReaderFormFacts> {
  return {
    publicationId: publication.id,
    publicationName: publication.publicationName,
    ...(await publisherSettings(ctx, publication.publisherId)),
    questions: questionLetters
      .map((letter) => ({ letter, question: publication[`question${letter}`] }))
      .filter(({ question }) => question !== ''),
    today: dayOf(ctx.now(), ctx.settings.timeZone),
    findsAddresses: ctx.postcodes !== null,
  }
}

/** The first reference of the publication's sequence that is unused. The sequence's random shift is fixed here if it is not yet. */
async function nextFreeReference(ctx: AppContext, { id, publicationName }: OwnPublication): Promise<string> {
  await fixReferenceShift(ctx, id, randomInt(1, referenceRange))
  const [row] = await ctx.db.query<{ references_made: number; reference_shift: number }>(
    `SELECT references_made, reference_shift FROM publications WHERE id = :id`,
    { id },
  )
  const initials = referenceInitials(publicationName)
  for (let n = Number(row?.references_made ?? 0); ; n++) {
    const reference = uniqueReference(initials, n, Number(row?.reference_shift ?? 0))
    const existing = await ctx.db.query(
      `SELECT 1 FROM readers WHERE publication_id = :id AND unique_reference = :reference`,
      { id, reference },
    )
    if (existing.length === 0) return reference
  }
}

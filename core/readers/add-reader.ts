import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { inputId } from '../kernel/input-values.ts'
import { normalisePostCode } from '../postcodes/post-code.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { derivedReaderKeys } from './derived-reader-keys.ts'
import { findSimilar, type SimilarReader } from './find-similar.ts'
import { updatedFullName } from './full-name.rules.ts'
import { nextUniqueReference } from './next-unique-reference.ts'
import { normaliseAnswers } from './normalise-answers.rules.ts'
import { editorOf, type OwnPublication } from './own-reader-row.ts'
import { readerInputs, sentFields, type TypedReader } from './reader.input.ts'
import { blankReader } from './reader-fields.rules.ts'
import { readerProblems, reportTakenReference } from './reader-problems.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

export interface AddedReader {
  /** Null: not added, because a similar reader exists. */
  id: number | null
  uniqueReference: string
  /** Readers similar to the new one; only filled with `unlessSimilar`. */
  similar: SimilarReader[]
}

/**
 * Adds one reader manually. Missing fields default to blank, opted out and no end date; without a reference it gets the next one. With
 * `unlessSimilar` it is not added if similar readers exist, which are returned instead.
 */
export const addReader = useCase({
  permission: 'reader:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    ...readerInputs,
    /** The reference that a form was opened with: if unchanged, the current next one is used. */
    referenceOffered: z.string().max(60).optional(),
    unlessSimilar: z.boolean().default(false),
  }),
  async alsoCheck(ctx, raw) {
    if (raw.publicationId === undefined) return {}
    const publication = await ownPublication(ctx, { id: inputId(raw.publicationId) })
    return readerProblems(ctx, raw, { publication, stored: null })
  },
  async run(ctx, { publicationId, referenceOffered, unlessSimilar, ...typed }): Promise<AddedReader> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const fields = fieldsOf(typed)
    if (unlessSimilar) {
      const similar = await findSimilar(ctx, publication.id, fields)
      if (similar.length > 0) return { id: null, uniqueReference: '', similar }
    }
    const takesNextReference = fields.uniqueReference === '' || fields.uniqueReference === referenceOffered
    const uniqueReference = takesNextReference ? await nextUniqueReference(ctx, publication.id) : fields.uniqueReference
    const id = await reportTakenReference(async () => insertReader(ctx, publication, { ...fields, uniqueReference }))
    return { id, uniqueReference, similar: [] }
  },
})

type NewFields = ReturnType<typeof fieldsOf>

/** The entered values, with the defaults of a new reader for the others. */
function fieldsOf(typed: TypedReader) {
  const fields = { ...blankReader, ...sentFields(typed) }
  return {
    ...fields,
    fullName: updatedFullName(fields, null),
    ...normaliseAnswers(fields),
    paid: typed.subPaid ?? null,
  }
}

async function insertReader(
  ctx: AppContext,
  publication: OwnPublication,
  { paid, ...typed }: NewFields,
): Promise<number> {
  const { homeCountry, mainCurrency } = await publisherSettings(ctx, publication.publisherId)
  const fields = { ...typed, postCode: normalisePostCode(typed.postCode, typed.country || homeCountry) }
  const subscription = { subPaid: paid?.amount ?? null, subCurrency: paid?.currency ?? mainCurrency }
  const id = await Readers.insert(ctx, {
    ...fields,
    ...subscription,
    ...(await derivedReaderKeys(ctx, publication.id, fields, homeCountry)),
    publicationId: publication.id,
    origin: 'staff',
    modifiedBy: editorOf(ctx),
  })
  await recordReaderChange(ctx, {
    readerId: id,
    publicationId: publication.id,
    kind: 'added',
    note: 'Entered by hand',
    subscription: { ...fields, ...subscription },
  })
  const subject = { type: 'reader', id, publisherId: publication.publisherId }
  await recordAudit(ctx, 'add-reader', subject, { publicationId: publication.id })
  await termsChanged(ctx, publication.id, [id])
  return id
}

import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { formatMoment } from '../kernel/calendar.ts'
import { openStart } from '../kernel/dates.ts'
import { type AppError, conflict, notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { normalisePostCode } from '../postcodes/post-code.rules.ts'
import { useCase } from '../use-case.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { derivedReaderKeys } from './derived-reader-keys.ts'
import { updatedFullName } from './full-name.rules.ts'
import { normaliseAnswers } from './normalise-answers.rules.ts'
import { editorOf, type OwnReaderRow, ownReaderRow } from './own-reader-row.ts'
import { readerInputs, sentFields, type TypedReader } from './reader.input.ts'
import { readerFieldLabels } from './reader-fields.rules.ts'
import { readerProblems, reportTakenReference } from './reader-problems.ts'
import { type ReaderRow, Readers } from './readers.rows.ts'
import { recordEndedEarlier } from './record-ended-subscriptions.ts'
import { recordReaderChange } from './record-reader-change.ts'

export interface EditedReader {
  id: number
  version: number
  /** The fields that changed; empty if none did. */
  changed: StoredField[]
}

/** The stored values of the fields: an amount has two, with its currency. */
type StoredField = Exclude<keyof TypedReader, undefined> | 'subCurrency'

/**
 * Changes a reader of the acting publisher; only fields that are set. With `version`, optimistic locking: a record that was changed since is not
 * overwritten, and the error has every field that would be lost, with its current value.
 */
export const editReader = useCase({
  permission: 'reader:write',
  input: z.object({
    id: z.coerce.number('Required').int(),
    /** Passed by callers that know it: a reader never moves to another publication. */
    publicationId: z.coerce.number('Must be a number').int().optional(),
    version: z.coerce.number('Must be a number').int().optional(),
    /** When that version was stored: the undo of an import restores the number that a reader had before. */
    versionAt: z.coerce.date('Must be a moment').optional(),
    ...readerInputs,
  }),
  async alsoCheck(ctx, raw) {
    if (raw.id === undefined) return {}
    const { reader, publication } = await ownReaderRow(ctx, raw.id)
    return readerProblems(ctx, raw, { publication, stored: reader })
  },
  async run(ctx, { id, publicationId, version, versionAt, ...typed }): Promise<EditedReader> {
    const ownRow = await ownReaderRow(ctx, id, { isLocked: true })
    if (publicationId !== undefined && publicationId !== ownRow.publication.id) throw notFound('The reader')
    const after = changedRow(ownRow.reader, typed, await publisherSettings(ctx, ownRow.publication.publisherId))
    const changed = (Object.keys(after) as StoredField[]).filter((field) => ownRow.reader[field] !== after[field])
    const isLater = versionAt !== undefined && versionAt.getTime() !== ownRow.reader.updatedAt.getTime()
    if (version !== undefined && (version !== ownRow.reader.version || isLater))
      throw await lostUpdate(ctx, ownRow.reader, changed)
    const next = changed.length > 0 ? await saveReader(ctx, ownRow, changed, after) : ownRow.reader.version
    return { id: ownRow.reader.id, version: next, changed }
  },
})

type WrittenValues = Pick<ReaderRow, Exclude<StoredField, 'subPaid'> & keyof ReaderRow> & { subPaid: number | null }

/** The values that an edit writes. */
function changedRow(
  stored: ReaderRow,
  typed: TypedReader,
  { mainCurrency, homeCountry }: { mainCurrency: Currency; homeCountry: string },
): Partial<WrittenValues> {
  const { subPaid } = typed
  const edited = sentFields(typed)
  const after: Partial<WrittenValues> = { ...edited, ...normaliseAnswers(edited) }
  const names = {
    title: after.title ?? stored.title,
    firstName: after.firstName ?? stored.firstName,
    lastName: after.lastName ?? stored.lastName,
    fullName: after.fullName ?? stored.fullName,
  }
  const isNamed = ['title', 'firstName', 'lastName', 'fullName'].some(
    (field) => names[field as 'title'] !== stored[field as 'title'],
  )
  if (isNamed) after.fullName = updatedFullName(names, stored)
  const { postCode = stored.postCode, country = stored.country } = after
  // One that was stored otherwise stays as it is when a form sends it back.
  if (postCode !== stored.postCode || country !== stored.country)
    after.postCode = normalisePostCode(postCode, country || homeCountry)
  if (subPaid !== undefined) {
    after.subPaid = subPaid?.amount ?? null
    // A free subscription had no currency to keep.
    const usualCurrency = stored.subPaid === null ? mainCurrency : stored.subCurrency
    after.subCurrency = subPaid ? (subPaid.currency ?? usualCurrency) : stored.subCurrency
  }
  return after
}

/** Returns the new version of the record. */
async function saveReader(
  ctx: AppContext,
  { reader, publication }: OwnReaderRow,
  changed: StoredField[],
  after: Partial<WrittenValues>,
): Promise<number> {
  const before = Object.fromEntries(changed.map((field) => [field, reader[field]]))
  const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
  const row = { ...reader, ...after } as ReaderRow
  const version = reader.version + 1
  const keys = await derivedReaderKeys(ctx, publication.id, row, homeCountry)
  const changes = { ...after, ...keys, version, modifiedBy: editorOf(ctx) } as Partial<ReaderRow>
  await reportTakenReference(() => Readers.update(ctx, { id: reader.id }, changes))
  const isSubscription = changed.some((field) => field.startsWith('sub'))
  await recordReaderChange(ctx, {
    readerId: reader.id,
    publicationId: publication.id,
    kind: 'edited',
    note: `Changed: ${labelsOf(changed).join(', ')}`,
    ...(isSubscription ? { subscription: row } : {}),
    before,
  })
  const subject = { type: 'reader', id: reader.id, publisherId: publication.publisherId }
  await recordAudit(ctx, 'edit-reader', subject, { publicationId: publication.id, fields: changed })
  await termsChanged(ctx, publication.id, [reader.id])
  if (reader.subType !== '') {
    // Without a product the subscription has ended, whatever its days.
    const days = { endedOn: row.subType === '' ? openStart : row.subEndOn, endsOn: reader.subEndOn }
    await recordEndedEarlier(ctx, { publicationId: publication.id, readerId: reader.id, ...days })
  }
  return version
}

function labelsOf(fields: readonly StoredField[]): string[] {
  return [...new Set(fields.map((field) => readerFieldLabels[field === 'subCurrency' ? 'subPaid' : field]))]
}

/** The error for a lost update, with the current values of the fields that would be overwritten. */
async function lostUpdate(ctx: AppContext, reader: ReaderRow, fields: StoredField[]): Promise<AppError> {
  const [editor] = await ctx.db.query<{ first_name: string; last_name: string }>(
    `SELECT first_name, last_name FROM users WHERE id = :id`,
    { id: reader.modifiedBy ?? 0 },
  )
  const who = editor ? ` by ${`${editor.first_name} ${editor.last_name}`.trim()}` : ''
  const when = formatMoment(reader.updatedAt, ctx.settings.timeZone)
  return conflict(`This reader was changed${who} at ${when}, after you opened it`, {
    hint: 'Compare the two versions and save again',
    fields: Object.fromEntries(
      fields
        .filter((field) => field !== 'subCurrency')
        .map((field) => [field, `Is now ${formatValue(reader[field as keyof ReaderRow])}`]),
    ),
  })
}

function formatValue(value: unknown): string {
  if (value === null || value === '') return 'empty'
  return typeof value === 'boolean' ? (value ? 'ticked' : 'not ticked') : `“${String(value)}”`
}

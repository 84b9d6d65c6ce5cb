import { data } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { formatMoment } from '#core/kernel/calendar.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import type { OtherVersion } from '../components/readers/edit-conflict.tsx'
import { type ReaderValues, readerInput, storedReaderValues } from '../components/readers/reader-values.ts'
import { openedValues } from './merge-form.ts'
import { removalOrRethrow, removalText } from './removed-reader.ts'

/**
 * The submitted fields. A field for which the user keeps the other version gets its base value: a field equal to its base is not written.
 */
export function chosenValues(values: Record<string, string>): Record<string, string> {
  const base: ReaderValues = openedValues(values.base) ?? {}
  const theirs = readerFieldNames.filter((field) => values[`keep.${field}`] === 'theirs')
  return { ...values, ...Object.fromEntries(theirs.map((field) => [field, base[field] ?? ''])) }
}

/**
 * Saves a submitted reader form. If another user changed the record since it was opened, nothing is written: the result contains both
 * versions. If it was removed in the meantime the result says so, with the submitted values; `restore` restores it first.
 */
export async function saveReader(ctx: AppContext, id: number, values: Record<string, string>) {
  const input = readerInput(values)
  if (values.restore === '1') await restoreRemovedReader(ctx, id)
  try {
    await editReader(ctx, { ...input, id, version: values.version, versionAt: values.versionAt || undefined })
    return null
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'conflict') {
      const removal = await removalOrRethrow(ctx, error, { id, publicationId: values.publicationId })
      const text = removalText(ctx, removal)
      return data({ removed: { text, canRestore: removal.removedAt !== null }, values }, { status: 409 })
    }
    const reader = await getReader(ctx, { id })
    const theirs = storedReaderValues(reader)
    const base: ReaderValues = openedValues(values.base) ?? {}
    // Deactivated in the meantime, or another change that the form does not contain.
    if (readerFieldNames.every((field) => (theirs[field] ?? '') === (base[field] ?? ''))) {
      await editReader(ctx, { ...input, id, version: reader.version, versionAt: reader.updatedAt })
      return null
    }
    const at = formatMoment(reader.updatedAt, ctx.settings.timeZone)
    const version = { version: reader.version, versionAt: reader.updatedAt.toISOString() }
    const other: OtherVersion = { ...version, values: theirs, by: reader.modifiedBy, at }
    return data({ other, base, values }, { status: 409 })
  }
}

/** Another user may have restored it in the meantime: saving shows that. */
async function restoreRemovedReader(ctx: AppContext, id: number): Promise<void> {
  await restoreReader(ctx, { id }).catch((error: unknown) => {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
  })
}

import { data } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { printMoment } from '#core/kernel/calendar.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { type ReaderValues, readerInput, storedReaderValues } from '../components/readers/reader-values.ts'
import type { OtherVersion } from '../components/readers/two-versions.tsx'
import { goneAfter, goneWords } from './gone-reader.ts'

/** The sent fields with the other version's in place of those whose are kept: it is what the form was given to compare with. */
export function chosenValues(values: Record<string, string>): Record<string, string> {
  const base = baseOf(values)
  const theirs = readerFieldNames.filter((field) => values[`keep.${field}`] === 'theirs')
  return { ...values, ...Object.fromEntries(theirs.map((field) => [field, base[field] ?? ''])) }
}

/**
 * Saves a sent reader form. When somebody else changed the record since it was opened, nothing is written: the answer holds both versions.
 * When it was removed meanwhile the answer says so, with what was typed; `bringBack` brings it back first.
 */
export async function saveReader(ctx: AppContext, id: number, values: Record<string, string>) {
  const input = readerInput(values)
  if (values.bringBack === '1') await bringBack(ctx, id)
  try {
    await editReader(ctx, { ...input, id, version: values.version })
    return null
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'conflict') {
      const removal = await goneAfter(ctx, error, { id, publicationId: values.publicationId })
      const words = goneWords(ctx, removal)
      return data({ gone: { words, canBringBack: removal.removedAt !== null }, values }, { status: 409 })
    }
    const reader = await getReader(ctx, { id })
    const theirs = storedReaderValues(reader)
    const base = baseOf(values)
    // Deactivated meanwhile, or something else that the form does not hold.
    if (readerFieldNames.every((field) => (theirs[field] ?? '') === (base[field] ?? ''))) {
      await editReader(ctx, { ...input, id, version: reader.version })
      return null
    }
    const at = printMoment(reader.updatedAt, ctx.settings.timeZone)
    const other: OtherVersion = { values: theirs, version: reader.version, by: reader.modifiedBy, at }
    return data({ other, base, values }, { status: 409 })
  }
}

/** Somebody else may have brought it back in the meantime: saving tells. */
async function bringBack(ctx: AppContext, id: number): Promise<void> {
  await restoreReader(ctx, { id }).catch((error: unknown) => {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
  })
}

/** What the form began with, as it says itself. */
function baseOf(values: Record<string, string>): ReaderValues {
  try {
    const base: unknown = JSON.parse(values.base ?? '')
    return typeof base === 'object' && base !== null ? (base as ReaderValues) : {}
  } catch {
    return {}
  }
}

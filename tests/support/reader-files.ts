import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importReaders } from '#core/imports/import-readers.ts'
import type { ImportReport } from '#core/imports/import-report.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { operator } from './factories.ts'
import type { TestServices } from './test-services.ts'
import { textOf } from './text-of.ts'

let fileCount = 0

/** Shared helpers for tests of reader files, on one installation. */
export function readerFiles(services: () => TestServices) {
  const fileOf = (content: string | Buffer, name = `readers-${++fileCount}.csv`): string => {
    const path = join(services().dataDir, name)
    writeFileSync(path, content)
    return path
  }
  return {
    fileOf,
    /** Imports a file's path, or the text of one. */
    importInto: (
      publication: { urlKey: string },
      content: string,
      mode: 'add' | 'combine' | 'replace',
      extra: object = {},
    ): Promise<ImportReport> =>
      importReaders(services().as(operator), {
        urlKey: publication.urlKey,
        file: content.includes('\n') ? fileOf(content) : content,
        mode,
        ...extra,
      }),
    async exported(publication: { urlKey: string }): Promise<string> {
      const { chunks } = await exportReaders(services().as(operator), { urlKey: publication.urlKey, bom: false })
      const text = await textOf(chunks)
      return text
    },
    /** The complete stored rows of the readers, in order. */
    stored: (publication: { id: number }) =>
      services().db.query<Record<string, unknown> & { id: number; unique_reference: string; version: number }>(
        `SELECT * FROM readers WHERE publication_id = :id ORDER BY id`,
        { id: publication.id },
      ),
  }
}

/** The error with which some work was refused. */
export async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw error ?? new Error('It was not refused')
  return error
}

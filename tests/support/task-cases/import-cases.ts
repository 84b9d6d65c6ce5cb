import { readFileSync } from 'node:fs'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { importReaders } from '#core/imports/import-readers.ts'
import { storeUpload } from '#core/imports/store-upload.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { pieces } from '../uploads.ts'
import { runWorker } from '../worker.ts'
import { type CaseTarget, newest, readerFacts, readersBefore, readersFile, type TaskCase } from './task-case.ts'

/** The lines of an import's file: the second half of the readers are in it as well. */
const inFile = 12_000

/** An import in a mode, into a publication that already has readers unless it only adds. */
function importCase(
  mode: 'add' | 'combine' | 'replace',
  readers: number,
  commits: { worker: number; inline: number },
): TaskCase {
  const file = (target: CaseTarget) => readersFile(target, 'new', readersBefore / 2, inFile)
  return {
    kind: 'import-readers',
    prepare: async (_, target) =>
      mode === 'add' ? null : importReaders(target.ctx, { ...oldReaders(target), mode: 'add' }),
    worker: {
      async start(target, services) {
        const { uploadId } = await storeNew(target, mode)
        await runWorker(services)
        return confirmUpload(target.ctx, { uploadId, handle: await handleOf(target) })
      },
      commits: commits.worker,
    },
    inline: {
      start: (target) => importReaders(target.ctx, { publicationId: target.publicationId, file: file(target), mode }),
      commits: commits.inline,
    },
    facts: readerFacts,
    expected: { readers, different: readers, as_in_file: inFile, newest: mode === 'add' ? 1 : 2 },
    next: ({ ctx, publicationId, folder }) =>
      importReaders(ctx, {
        publicationId,
        file: readersFile({ ctx, publicationId, folder }, 'next', 0, 3),
        mode: 'combine',
      }),
  }
}

/** Imports of reader files: checked, run in each mode, and undone. */
export const importCases: Record<string, TaskCase> = {
  'a check of an upload': {
    kind: 'check-upload',
    prepare: (_, target) => importReaders(target.ctx, { ...oldReaders(target), mode: 'add' }),
    worker: { start: (target) => storeNew(target, 'combine'), commits: 3 },
    async facts(target) {
      const { preview } = await getUpload(target.ctx, { uploadId: await newest(target, 'uploads') })
      return { added: preview?.added ?? 0, updated: preview?.updated ?? 0, ...(await readerFacts(target)) }
    },
    expected: {
      added: inFile - readersBefore / 2,
      updated: readersBefore / 2,
      readers: readersBefore,
      different: readersBefore,
      as_in_file: 0,
      newest: 1,
    },
    next: async (target) => confirmUpload(target.ctx, { uploadId: await newest(target, 'uploads') }),
  },
  'an import that adds': importCase('add', inFile, { worker: 3, inline: 4 }),
  'an import that combines': importCase('combine', readersBefore / 2 + inFile, { worker: 4, inline: 5 }),
  'an import that replaces': importCase('replace', inFile, { worker: 4, inline: 5 }),
  'an undo of an import': {
    kind: 'undo-import',
    async prepare(_, target) {
      await importReaders(target.ctx, { ...oldReaders(target), mode: 'add' })
      const file = readersFile(target, 'new', readersBefore / 2, inFile)
      await importReaders(target.ctx, { publicationId: target.publicationId, file, mode: 'combine' })
    },
    worker: {
      start: async (target) => undoUpload(target.ctx, { uploadId: await newest(target, 'uploads') }),
      commits: 4,
    },
    inline: {
      start: async (target) => undoImport(target.ctx, { uploadId: await newest(target, 'uploads') }),
      commits: 5,
    },
    facts: readerFacts,
    expected: { readers: readersBefore, different: readersBefore, as_in_file: 0, newest: 1 },
    next: (target) => storeNew(target, 'combine'),
  },
}

function storeNew(target: CaseTarget, mode: 'add' | 'combine' | 'replace') {
  const text = readFileSync(readersFile(target, 'new', readersBefore / 2, inFile))
  const { ctx, publicationId } = target
  return storeUpload(ctx, { publicationId, mode, fileName: 'new.csv', chunks: pieces(text, 50_000) })
}

const oldReaders = (target: CaseTarget) => ({
  publicationId: target.publicationId,
  file: readersFile(target, 'old', 0, readersBefore),
})

async function handleOf({ ctx, publicationId }: CaseTarget): Promise<string> {
  const sql = `SELECT url_key FROM publications WHERE id = :publicationId`
  const [row] = await ctx.db.query<{ url_key: string }>(sql, { publicationId })
  return row?.url_key ?? ''
}

import { removeReaders } from '#core/removals/remove-readers.ts'
import { restoreReaders } from '#core/removals/restore-readers.ts'
import { copyReader, makeReader } from '../readers.ts'
import type { TestServices } from '../test-services.ts'
import { type CaseTarget, newest, numbers, type TaskCase } from './task-case.ts'

/** More readers than are removed at once, and in one transaction. */
const listed = 2210

/** The removal of a whole list of readers, and its undo. */
export const removalCases: Record<string, TaskCase> = {
  'a removal of readers': {
    kind: 'remove-readers',
    prepare: makeListed,
    worker: {
      start: ({ ctx, publicationId }) => removeReaders(ctx, { publicationId, list: 'nofullname' }),
      commits: 7,
    },
    inline: {
      start: ({ ctx, publicationId }) => removeReaders(ctx, { publicationId, list: 'nofullname', isWaiting: true }),
      commits: 8,
    },
    facts: (target) => removalFacts(target, 'removed'),
    expected: { readers: 1, stored: listed, counted: listed, left: 0, history: 0 },
    next: async (target) =>
      restoreReaders(target.ctx, { removalId: await newest(target, 'reader_removals'), isWaiting: true }),
  },
  'an undo of a removal of readers': {
    kind: 'undo-removal',
    async prepare(services, target) {
      await makeListed(services, target)
      const { ctx, publicationId } = target
      await removeReaders(ctx, { publicationId, list: 'nofullname', isWaiting: true })
    },
    worker: {
      start: async (target) => restoreReaders(target.ctx, { removalId: await newest(target, 'reader_removals') }),
      commits: 7,
    },
    inline: {
      start: async (target) =>
        restoreReaders(target.ctx, { removalId: await newest(target, 'reader_removals'), isWaiting: true }),
      commits: 8,
    },
    facts: (target) => removalFacts(target, 'restored'),
    expected: { readers: listed + 1, stored: 0, counted: listed, left: 0, history: listed },
    next: ({ ctx, publicationId }) => removeReaders(ctx, { publicationId, list: 'nofullname', isWaiting: true }),
  },
}

/** Readers of a list, and one who is not in it. */
async function makeListed(services: TestServices, { publicationId }: CaseTarget): Promise<void> {
  await makeReader(services, publicationId, { fullName: 'Ann Lee' })
  await copyReader(services, await makeReader(services, publicationId, { lastName: 'Lee' }), listed - 1)
}

function removalFacts(
  { ctx, publicationId }: CaseTarget,
  counted: 'removed' | 'restored',
): Promise<Record<string, number>> {
  return numbers(
    ctx,
    `SELECT count(*) AS readers,
       (SELECT count(*) FROM removed_readers WHERE publication_id = :id) AS stored,
       (SELECT SUM(${counted}) FROM reader_removals WHERE publication_id = :id) AS counted,
       (SELECT SUM(left_alone + not_restored) FROM reader_removals WHERE publication_id = :id) AS "left",
       (SELECT count(*) FROM reader_events WHERE publication_id = :id AND kind = 'restored') AS history
     FROM readers WHERE publication_id = :id`,
    publicationId,
  )
}

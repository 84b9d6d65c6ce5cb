import { fixReaders } from '#core/fixes/fix-readers.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { copyReader, makeReader } from '../readers.ts'
import type { TestServices } from '../test-services.ts'
import { type CaseTarget, newest, numbers, type TaskCase } from './task-case.ts'

/** More readers than are fixed in one transaction. */
const fixable = 2210

/** Automatic fixes and their undo. */
export const fixCases: Record<string, TaskCase> = {
  'an automatic fix': {
    kind: 'fix-readers',
    prepare: makeFixable,
    worker: {
      start: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names' }),
      commits: 7,
    },
    inline: {
      start: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names', isWaiting: true }),
      commits: 8,
    },
    facts: (target) => fixFacts(target, 'fixed'),
    expected: { readers: fixable, blank: 0, oldest: 2, newest: 2, events: fixable, images: fixable, counted: fixable },
    next: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes') }),
  },
  'an undo of an automatic fix': {
    kind: 'undo-fix',
    async prepare(services, target) {
      await makeFixable(services, target)
      await fixReaders(target.ctx, { publicationId: target.publicationId, kind: 'full-names', isWaiting: true })
    },
    worker: {
      start: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes') }),
      commits: 7,
    },
    inline: {
      start: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes'), isWaiting: true }),
      commits: 8,
    },
    facts: (target) => fixFacts(target, 'undone'),
    expected: {
      readers: fixable,
      blank: fixable,
      oldest: 1,
      newest: 1,
      events: 2 * fixable,
      images: 0,
      counted: fixable,
    },
    next: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names', isWaiting: true }),
  },
}

async function makeFixable(services: TestServices, { publicationId }: CaseTarget): Promise<void> {
  await copyReader(
    services,
    await makeReader(services, publicationId, { firstName: 'Ann', lastName: 'Lee' }),
    fixable - 1,
  )
}

function fixFacts({ ctx, publicationId }: CaseTarget, counted: 'fixed' | 'undone'): Promise<Record<string, number>> {
  return numbers(
    ctx,
    `SELECT count(*) AS readers, SUM(CASE WHEN full_name = '' THEN 1 ELSE 0 END) AS blank, MIN(version) AS oldest, MAX(version) AS newest,
       (SELECT count(*) FROM reader_events WHERE publication_id = :id) AS events,
       (SELECT count(*) FROM reader_fix_rows r JOIN reader_fixes f ON f.id = r.fix_id WHERE f.publication_id = :id) AS images,
       (SELECT SUM(${counted}) FROM reader_fixes WHERE publication_id = :id) AS counted
     FROM readers WHERE publication_id = :id`,
    publicationId,
  )
}

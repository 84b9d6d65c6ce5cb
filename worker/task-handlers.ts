import { likelySearchHandler } from '#core/duplicates/run-likely-search.ts'
import { mergeHandler } from '#core/duplicates/run-merge-batch.ts'
import { undoMergesHandler } from '#core/duplicates/run-undo-batch.ts'
import { fixHandler } from '#core/fixes/run-fix.ts'
import { undoFixHandler } from '#core/fixes/run-undo-fix.ts'
import { checkHandler } from '#core/imports/check-upload.ts'
import { importHandler } from '#core/imports/run-import.ts'
import { undoHandler } from '#core/imports/run-undo.ts'
import { importPostcodes } from '#core/postcode-files/import-postcodes.ts'
import { readReport } from '#core/reconciliation/read-report.ts'
import { offerHandler } from '#core/series/send-blanket-offer.ts'
import type { TaskHandlers } from '#core/tasks/task.ts'
import { pullReaders } from '#core/transfers/pull-readers.ts'
import { pushMailingFile } from '#core/transfers/push-mailing-file.ts'

/** The implementation of each kind of task. It does not compile if a kind of core/tasks/task-kinds.ts is missing. */
export const taskHandlers: TaskHandlers = {
  'find-likely': likelySearchHandler(),
  'fix-readers': fixHandler(),
  'undo-fix': undoFixHandler(),
  'check-upload': checkHandler,
  'import-readers': importHandler(),
  'undo-import': undoHandler(),
  'send-offer': offerHandler(),
  'import-postcodes': importPostcodes,
  'read-provider-report': readReport,
  'pull-readers': pullReaders,
  'push-mailing-file': pushMailingFile,
  'merge-duplicates': mergeHandler(),
  'undo-merges': undoMergesHandler,
}

import { likelySearchHandler } from '#core/duplicates/run-likely-search.ts'
import { mergeHandler } from '#core/duplicates/run-merge-batch.ts'
import { undoMergesHandler } from '#core/duplicates/run-undo-batch.ts'
import { fixHandler } from '#core/fixes/run-fix.ts'
import { undoFixHandler } from '#core/fixes/run-undo-fix.ts'
import { checkHandler } from '#core/imports/check-upload.ts'
import { importHandler } from '#core/imports/run-import.ts'
import { undoImportHandler } from '#core/imports/run-undo.ts'
import { postcodesHandler } from '#core/postcode-files/import-postcodes.ts'
import { reportHandler } from '#core/reconciliation/read-report.ts'
import { removalHandler } from '#core/removals/run-removal.ts'
import { undoRemovalHandler } from '#core/removals/run-undo-removal.ts'
import { offerHandler } from '#core/series/send-blanket-offer.ts'
import type { TaskHandlers } from '#core/tasks/task.ts'
import { pullReadersHandler } from '#core/transfers/pull-readers.ts'
import { pushMailingFileHandler } from '#core/transfers/push-mailing-file.ts'

/** The implementation of each kind of task. It does not compile if a kind of core/tasks/task-kinds.ts is missing. */
export const taskHandlers: TaskHandlers = {
  'find-likely': likelySearchHandler(),
  'fix-readers': fixHandler(),
  'undo-fix': undoFixHandler(),
  'remove-readers': removalHandler(),
  'undo-removal': undoRemovalHandler(),
  'check-upload': checkHandler,
  'import-readers': importHandler(),
  'undo-import': undoImportHandler(),
  'send-offer': offerHandler(),
  'import-postcodes': postcodesHandler(),
  'read-provider-report': reportHandler(),
  'pull-readers': pullReadersHandler,
  'push-mailing-file': pushMailingFileHandler,
  'merge-duplicates': mergeHandler(),
  'undo-merges': undoMergesHandler,
}

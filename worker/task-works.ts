import { likelySearchWork } from '#core/duplicates/run-likely-search.ts'
import { mergeWork } from '#core/duplicates/run-merge-batch.ts'
import { undoMergesWork } from '#core/duplicates/run-undo-batch.ts'
import { fixWork } from '#core/fixes/run-fix.ts'
import { undoFixWork } from '#core/fixes/run-undo-fix.ts'
import { checkWork } from '#core/imports/check-upload.ts'
import { importWork } from '#core/imports/run-import.ts'
import { undoWork } from '#core/imports/run-undo.ts'
import { importPostcodes } from '#core/postcode-files/import-postcodes.ts'
import { readReport } from '#core/reconciliation/read-report.ts'
import { offerWork } from '#core/series/send-blanket-offer.ts'
import type { TaskWorks } from '#core/tasks/task.ts'
import { pullReaders } from '#core/transfers/pull-readers.ts'
import { pushMailingFile } from '#core/transfers/push-mailing-file.ts'

/** The implementation of each kind of task. It does not compile if a kind of core/tasks/task-kinds.ts is missing. */
export const taskWorks: TaskWorks = {
  'find-likely': likelySearchWork(),
  'fix-readers': fixWork(),
  'undo-fix': undoFixWork(),
  'check-upload': checkWork,
  'import-readers': importWork(),
  'undo-import': undoWork(),
  'send-offer': offerWork(),
  'import-postcodes': importPostcodes,
  'read-provider-report': readReport,
  'pull-readers': pullReaders,
  'push-mailing-file': pushMailingFile,
  'merge-duplicates': mergeWork(),
  'undo-merges': undoMergesWork,
}

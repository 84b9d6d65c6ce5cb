import { mergeWork } from '#core/duplicates/run-merge-batch.ts'
import { undoMergesWork } from '#core/duplicates/run-undo-batch.ts'
import { importPostcodes } from '#core/postcode-files/import-postcodes.ts'
import type { TaskWorks } from '#core/tasks/task.ts'

/** How each kind of long work is done. A kind of core/tasks/task-kinds.ts without one here does not compile. */
export const taskWorks: TaskWorks = {
  'import-postcodes': importPostcodes,
  'merge-duplicates': mergeWork(),
  'undo-merges': undoMergesWork,
}

/** The outcome of a file of a run, as shown to users. */
export const transferFileLabels = {
  importing: 'being imported',
  imported: 'imported',
  repeated: 'already imported',
  growing: 'still changing, left for the next run',
  failed: 'failed',
  sent: 'sent',
} as const

/**
 * `importing`: its import has begun. `repeated`: the same bytes had been imported before. `growing`: it was still changing, and is left to the
 * next run. `failed`: nothing of it was imported, or its import stopped half way.
 */
export type TransferFileState = keyof typeof transferFileLabels

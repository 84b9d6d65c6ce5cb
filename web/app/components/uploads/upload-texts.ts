import type { ImportMode, ImportTarget } from '#core/imports/import-modes.rules.ts'
import type { UploadState } from '#core/imports/upload-states.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'

interface Kind {
  mode: ImportMode
  target: ImportTarget
}

/** Texts from the specification. */
export const failedText = 'Additional Reader data failed due to data errors'
export const failedHint = 'This is usually caused by incorrect headers in the CSV file. Please fix the errors and retry'
export const uploadedText = 'Additional data file successfully uploaded. Processing data. This may take a while.'

export function titleOf({ mode, target }: Kind): string {
  if (mode === 'add') return 'Upload additional data'
  if (mode === 'combine') return 'Upload add-and-combine data'
  return target === 'imported' ? 'Upload replacement of imported data' : 'Upload replacement data'
}

export function explanationOf({ mode, target }: Kind): string {
  if (mode === 'add') return 'Adds the readers in a file. Existing readers are left unchanged.'
  if (mode === 'combine')
    return 'Updates the readers that the file identifies by UniqueReference or BuyerId, and adds the others. A blank cell keeps the stored value; nobody is removed.'
  return target === 'imported'
    ? 'Replaces the imported readers with those in the file: readers who came from an earlier file and are not in this one are removed. Storefront and hand-entered readers stay.'
    : 'Replaces all readers with those in the file: readers who are not in it are removed. A backup is kept for 30 days.'
}

interface Question {
  title: string
  text: string
  confirm: string
  isDangerous: boolean
}

/** The confirmation question; null if none is needed. */
export function questionOf({ mode, target }: Kind): Question | null {
  if (mode === 'add') return null
  if (mode === 'combine')
    return {
      title: 'Confirm Add And Combine of your entire Reader Dataset?',
      text: 'Readers that the file identifies are updated; the others in the file are added.',
      confirm: 'OK, add and combine',
      isDangerous: false,
    }
  const data = target === 'imported' ? 'imported Reader data' : 'Reader data'
  return {
    title: 'Confirm Replacement of your Reader Dataset?',
    text: `All of the existing ${data} in the system will be deleted and replaced by clicking OK`,
    confirm: target === 'imported' ? 'OK, replace imported readers' : 'OK, replace all readers',
    isDangerous: true,
  }
}

interface Counts {
  added: number
  updated: number
  removed: number
  failed: number
}

/** "Will add 812, update 43, remove 1,204, reject 6". */
export function previewText({ mode }: Kind, { added, updated, removed, failed }: Counts): string {
  const parts = [`add ${formatCount(added)}`]
  if (mode !== 'add') parts.push(`update ${formatCount(updated)}`)
  if (mode === 'replace') parts.push(`remove ${formatCount(removed)}`)
  parts.push(`reject ${formatCount(failed)}`)
  return `Will ${parts.join(', ')}`
}

/** "Added 812, updated 43, removed 1,204, rejected 6". */
export function resultText({ mode }: Kind, { added, updated, removed, failed }: Counts): string {
  const parts = [`added ${formatCount(added)}`]
  if (mode !== 'add') parts.push(`updated ${formatCount(updated)}`)
  if (mode === 'replace') parts.push(`removed ${formatCount(removed)}`)
  parts.push(`rejected ${formatCount(failed)}`)
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Who or what started an import. `fileHost` is set only for the command line, whose file stays on the machine it was started on. */
export function startedBy({ who, fileHost }: { who: string | null; fileHost: string | null }): string {
  if (who) return `by ${who}`
  return fileHost === null ? 'by a transfer' : 'from the command line'
}

/** The name of an import in a list. */
export function importKindText({ mode, target }: Kind): string {
  if (mode === 'add') return 'Additional data'
  if (mode === 'combine') return 'Add and combine'
  return target === 'imported' ? 'Replacement of imported data' : 'Replacement of all data'
}

export const stateLabels: Record<
  UploadState,
  { text: string; tone: 'neutral' | 'info' | 'success' | 'warning' | 'danger' }
> = {
  stored: { text: 'Not confirmed', tone: 'neutral' },
  checking: { text: 'Being checked', tone: 'info' },
  checked: { text: 'Not confirmed', tone: 'neutral' },
  waiting: { text: 'Waiting', tone: 'info' },
  running: { text: 'Running', tone: 'info' },
  interrupted: { text: 'Stopped', tone: 'warning' },
  done: { text: 'Done', tone: 'success' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
  failed: { text: 'Failed', tone: 'danger' },
  undoing: { text: 'Being undone', tone: 'info' },
  'undo-interrupted': { text: 'Undo stopped', tone: 'warning' },
  undone: { text: 'Undone', tone: 'neutral' },
}

/** A duration as text: "under a second", "42 seconds", "3 minutes 5 seconds". */
export function durationText(seconds: number): string {
  if (seconds < 1) return 'under a second'
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return countOf(wholeSeconds, 'second')
  const remainder = wholeSeconds % 60
  return `${countOf(Math.floor(wholeSeconds / 60), 'minute')}${remainder > 0 ? ` ${countOf(remainder, 'second')}` : ''}`
}

/** Texts about a postcode file, from the specification. */
export const postcodesUploaded = 'Postcode data file successfully uploaded. Processing data. This may take a while'
export const postcodesRefused = {
  message: 'Reader data failed due to data errors',
  hint: 'Please fix the errors and retry',
}

/** Texts about a provider's report. */
export const reportUploaded = 'Report uploaded. It is being read and matched'
export const reportRefused = { message: 'The report could not be read', hint: 'Nothing was changed' }

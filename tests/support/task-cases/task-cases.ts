import { duplicateCases } from './duplicate-cases.ts'
import { fileCases } from './file-cases.ts'
import { fixCases } from './fix-cases.ts'
import { importCases } from './import-cases.ts'
import { offerCases } from './offer-cases.ts'
import { removalCases } from './removal-cases.ts'
import type { TaskCase } from './task-case.ts'
import { transferCases } from './transfer-cases.ts'

/** All kinds of long work, by name. */
export const taskCases: Record<string, TaskCase> = {
  ...fileCases,
  ...duplicateCases,
  ...fixCases,
  ...removalCases,
  ...offerCases,
  ...transferCases,
  ...importCases,
}

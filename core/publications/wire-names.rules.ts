import { stepFields } from './publication-steps.rules.ts'

/** The fields whose name in the specification differs from ours (spec 2, section 3). */
const otherNames: Readonly<Record<string, string>> = {
  issuesPerYear: 'publicationPerYear',
  ccEmail: 'ccemail',
  coverImage: 'thumbImageName',
  logoImage: 'logo',
  digitalIsFree: 'subFree',
  printIsFree: 'printSubFree',
  bundleIsFree: 'printDigSubFree',
  questionA: 'customQuestionA',
  questionB: 'customQuestionB',
  questionC: 'customQuestionC',
  questionD: 'customQuestionD',
  questionE: 'customQuestionE',
  readerPlatformKey: 'userkey',
}

/** The table of a publication's fields: their names in calls and files, and ours. */
export const publicationWireNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(stepFields)
    .flat()
    .map((field) => [otherNames[field] ?? field, field]),
)

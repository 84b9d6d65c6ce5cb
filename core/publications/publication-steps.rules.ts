import { flatPriceNames } from '../pricing/flat-price-names.rules.ts'

/** The field names of each step of the wizard, in order: their rules are in publication.input.ts, and a test keeps the two in sync. */
export const stepFields = {
  info: [
    'publicationName',
    'issuesPerYear',
    'urlKey',
    'color',
    'publicationInfo',
    'webAddress',
    'emailAddress',
    'orderEmailAddress',
    'ccEmail',
    'sampleEdition',
    'emailText',
    'emailEnd',
  ],
  images: ['coverImage', 'logoImage'],
  prices: ['digitalIsFree', 'printIsFree', 'bundleIsFree', ...flatPriceNames.map(({ name }) => name)],
  questions: ['questionA', 'questionB', 'questionC', 'questionD', 'questionE'],
  apps: ['iosAppLink', 'androidAppLink', 'kindleAppLink', 'digitalEditionLink'],
  social: ['facebook', 'twitter', 'instagram', 'youtube'],
  submit: ['readerPlatformKey'],
} as const satisfies Record<string, readonly string[]>

export type PublicationStep = keyof typeof stepFields

/** The step a field belongs to; the last step for fields that only the edit form has. */
export function stepOfField(name: string): PublicationStep {
  const steps = Object.keys(stepFields) as PublicationStep[]
  return steps.find((step) => (stepFields[step] as readonly string[]).includes(name)) ?? 'submit'
}

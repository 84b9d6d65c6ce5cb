import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { productNames, termName } from '#core/pricing/plan-code.rules.ts'
import { bandNames } from '#core/pricing/region.rules.ts'
import type { PublicationStep } from '#core/publications/publication-steps.rules.ts'

/** The wizard's steps in their order, with their names. */
export const wizardSteps: readonly { step: PublicationStep; title: string; heading: string }[] = [
  { step: 'info', title: 'Info', heading: 'About the publication' },
  { step: 'images', title: 'Images', heading: 'Cover and logo' },
  { step: 'prices', title: 'Prices', heading: 'Subscription prices' },
  { step: 'questions', title: 'Questions', heading: 'Custom questions' },
  { step: 'apps', title: 'Apps', heading: 'App links' },
  { step: 'social', title: 'Social', heading: 'Social links' },
  { step: 'submit', title: 'Submit', heading: 'Reader platform, check and submit' },
]

export function stepIndex(step: PublicationStep): number {
  return wizardSteps.findIndex((candidate) => candidate.step === step)
}

/** The title of a step's page. */
export function wizardTitle({ step }: { step: PublicationStep }, page: string): string {
  const index = stepIndex(step)
  return `${wizardSteps[index]?.title} (step ${index + 1} of ${wizardSteps.length}) – ${page} – Masthead`
}

/** The label of each field, in its step and in the summary. */
export const fieldLabels: Readonly<Record<string, string>> = {
  publicationName: 'Name',
  issuesPerYear: 'Issues a year',
  urlKey: 'Handle',
  color: 'Colour',
  publicationInfo: 'Description',
  webAddress: 'Web address',
  sampleEdition: 'Sample edition',
  emailAddress: 'Enquiries email',
  orderEmailAddress: 'Order email',
  ccEmail: 'Copy of orders to',
  emailText: 'Opening of the receipt email',
  emailEnd: 'End of the receipt email',
  coverImage: 'Cover',
  logoImage: 'Logo',
  digitalIsFree: 'Digital is free',
  printIsFree: 'Print is free',
  bundleIsFree: 'Print and digital is free',
  questionA: 'Question A',
  questionB: 'Question B',
  questionC: 'Question C',
  questionD: 'Question D',
  questionE: 'Question E',
  iosAppLink: 'iPhone and iPad app',
  androidAppLink: 'Android app',
  kindleAppLink: 'Kindle app',
  digitalEditionLink: 'Digital edition in the browser',
  facebook: 'Facebook',
  twitter: 'Twitter',
  instagram: 'Instagram',
  youtube: 'YouTube',
  readerPlatformKey: 'Reader platform key',
  sellsBackIssues: 'Do you sell back issues?',
  ...Object.fromEntries(
    flatPriceNames.map(({ name, product, termMonths, band, isRecurring }) => [
      name,
      `${productNames[product]}, ${termName(termMonths).toLowerCase()}, ${bandNames[band]}${isRecurring ? ', renewing' : ''}`,
    ]),
  ),
}

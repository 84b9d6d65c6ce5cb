import { z } from 'zod'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { flatPriceNames, flatPrices } from '#core/pricing/flat-price-names.rules.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { type Band, bandOf, bands, currencyOf } from '#core/pricing/region.rules.ts'
import type { PublicationListItem } from '#core/publications/list-publications.query.ts'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import { WireIssueOnSale, wireIssue } from './back-issue.wire.ts'
import { WireAmount, WireCurrency, WireId, wireAmount } from './wire-values.ts'

const text = z.string()

/** Each price under its flat name; null: not for sale. */
const FlatPrices = Object.fromEntries(flatPriceNames.map(({ name }) => [name, WireAmount.nullable()]))

/** One country of each price band: all countries of a band pay the same. */
const countryOf: Record<Band, string> = { UK: 'GB', US: 'US', EU: 'FR' }

export const WireStorefront = z.object({
  _id: WireId,
  urlKey: text,
  publicationName: text,
  publicationInfo: text,
  thumbImageName: text.nullable(),
  logo: text.nullable(),
  color: text,
  backgroundColour: text,
  webAddress: text,
  emailAddress: text,
  sampleEdition: text,
  sellBackIssues: z.boolean(),
  backIssues: z.array(WireIssueOnSale).describe('Issues that are sold by the copy, newest first'),
  subFree: z.boolean(),
  printSubFree: z.boolean(),
  printDigSubFree: z.boolean(),
  ...FlatPrices,
  customQuestionA: text,
  customQuestionB: text,
  customQuestionC: text,
  customQuestionD: text,
  customQuestionE: text,
  iosAppLink: text,
  androidAppLink: text,
  kindleAppLink: text,
  digitalEditionLink: text,
  facebook: text,
  twitter: text,
  instagram: text,
  youtube: text,
  pricePerCountryList: z
    .array(
      z.object({
        region: z.enum(bands),
        currency: WireCurrency,
        plans: z.array(
          z.object({ checkboxSelection: text.describe('The value for createOrder'), name: text, price: WireAmount }),
        ),
      }),
    )
    .describe(
      'What is sold in the United Kingdom (UK), the euro countries (EU) and everywhere else (US); without sellOverseas only in the publisher’s own country',
    ),
  user: z.object({
    _id: WireId,
    companyName: text,
    telephone: text,
    emailAddress: text,
    country: text,
    mainCurrency: WireCurrency,
    sellOverseas: z.boolean(),
  }),
})

/** A storefront under the specification's names, with prices as decimals. */
export function wireStorefront(storefront: Storefront): z.input<typeof WireStorefront> {
  const { links, publisher, theme } = storefront
  const isSoldIn = (region: Band) => publisher.sellsOverseas || region === bandOf(publisher.country)
  const question = (key: string) => storefront.questions.find((candidate) => candidate.key === key)?.text ?? ''
  const prices = Object.entries(flatPrices(storefront.prices))
  return {
    _id: storefront.id,
    urlKey: storefront.urlKey,
    publicationName: storefront.publicationName,
    publicationInfo: storefront.publicationInfo,
    thumbImageName: imageFilesOf(storefront.coverImage, 'cover')?.src ?? null,
    logo: imageFilesOf(storefront.logoImage, 'logo')?.src ?? null,
    color: theme.color,
    backgroundColour: theme.background,
    webAddress: storefront.webAddress,
    emailAddress: storefront.emailAddress,
    sampleEdition: storefront.sampleEdition,
    sellBackIssues: storefront.sellsBackIssues,
    backIssues: storefront.backIssues.map((issue) => ({ ...wireIssue(issue), inStock: issue.isInStock })),
    subFree: storefront.freeProducts.includes('digital'),
    printSubFree: storefront.freeProducts.includes('print'),
    printDigSubFree: storefront.freeProducts.includes('bundle'),
    ...Object.fromEntries(prices.map(([name, amount]) => [name, amount === null ? null : wireAmount(amount)])),
    customQuestionA: question('A'),
    customQuestionB: question('B'),
    customQuestionC: question('C'),
    customQuestionD: question('D'),
    customQuestionE: question('E'),
    iosAppLink: links.ios,
    androidAppLink: links.android,
    kindleAppLink: links.kindle,
    digitalEditionLink: links.digitalEdition,
    facebook: links.facebook,
    twitter: links.twitter,
    instagram: links.instagram,
    youtube: links.youtube,
    pricePerCountryList: bands.map((region) => ({
      region,
      currency: currencyOf(region),
      plans: isSoldIn(region)
        ? plansFor(storefront, countryOf[region]).map((plan) => ({
            checkboxSelection: plan.code,
            name: planName(plan),
            price: wireAmount(plan.price),
          }))
        : [],
    })),
    user: {
      _id: publisher.id,
      companyName: publisher.companyName,
      telephone: publisher.telephone,
      emailAddress: publisher.emailAddress,
      country: publisher.country,
      mainCurrency: publisher.mainCurrency,
      sellOverseas: publisher.sellsOverseas,
    },
  }
}

export const WirePublication = z.object({
  _id: WireId,
  urlKey: text,
  publicationName: text,
  publicationPerYear: z.int(),
  thumbImageName: text.nullable(),
  logo: text.nullable(),
  readers: z.int(),
  activeReaders: z.int(),
})

export function wirePublication(item: PublicationListItem): z.input<typeof WirePublication> {
  return {
    _id: item.id,
    urlKey: item.urlKey,
    publicationName: item.publicationName,
    publicationPerYear: item.issuesPerYear,
    thumbImageName: imageFilesOf(item.coverImage, 'cover')?.src ?? null,
    logo: imageFilesOf(item.logoImage, 'logo')?.src ?? null,
    readers: item.readers,
    activeReaders: item.activeReaders,
  }
}

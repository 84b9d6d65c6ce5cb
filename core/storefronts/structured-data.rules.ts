import type { IssueOffer } from '../back-issues/issue-offer.rules.ts'
import { type Currency, formatMinorUnits } from '../kernel/money.ts'
import type { PlanOption } from '../pricing/price-table.rules.ts'

/** The structured data of a title for search engines, in the vocabulary of schema.org. */
interface ListedTitle {
  publicationName: string
  publicationInfo: string
  publisherName: string
  /** The whole address of the page the offers are on. */
  address: string
  /** The whole address of the cover. */
  image: string | null
  /** The country whose prices these are. */
  country: string
  /** Whether payments are possible at all. */
  canPay: boolean
}

type JsonLd = Record<string, unknown>

const context = 'https://schema.org'
/** Search engines read no more than about this many, and all of them are sent with the page. */
const maxIssues = 30

/** A magazine and its plans in a country; null if none is on offer, as then there is no product. */
export function productData(title: ListedTitle, plans: readonly PlanOption[]): JsonLd | null {
  if (plans.length === 0) return null
  return {
    '@context': context,
    ...product(title, title.publicationName, title.publicationInfo, title.image),
    category: 'Magazine subscription',
    offers: plans.map((plan) => ({
      ...offer(title, plan.price, plan.currency, plan.isFree || title.canPay),
      sku: plan.code,
      ...(plan.termMonths
        ? { eligibleDuration: { '@type': 'QuantitativeValue', value: plan.termMonths, unitCode: 'MON' } }
        : {}),
    })),
  }
}

interface ListedIssue extends IssueOffer {
  image: string | null
}

/** The back issues a country can buy, newest first; null if there are none. */
export function issueListData(title: ListedTitle, currency: Currency, issues: readonly ListedIssue[]): JsonLd | null {
  if (issues.length === 0) return null
  return {
    '@context': context,
    '@type': 'ItemList',
    url: title.address,
    numberOfItems: issues.length,
    itemListElement: issues.slice(0, maxIssues).map((issue, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        ...product(title, `${title.publicationName}: ${issue.volume}`, issue.description, issue.image),
        category: 'Magazine issue',
        offers: {
          ...offer(title, issue.price, currency, issue.isInStock && title.canPay),
          shippingDetails: {
            '@type': 'OfferShippingDetails',
            shippingRate: { '@type': 'MonetaryAmount', value: formatMinorUnits(issue.postage), currency },
            shippingDestination: { '@type': 'DefinedRegion', addressCountry: title.country },
          },
        },
      },
    })),
  }
}

function product(title: ListedTitle, name: string, description: string, image: string | null): JsonLd {
  return {
    '@type': 'Product',
    name,
    ...(description ? { description } : {}),
    ...(image ? { image } : {}),
    brand: { '@type': 'Brand', name: title.publisherName || title.publicationName },
  }
}

function offer(title: ListedTitle, price: number, currency: Currency, isAvailable: boolean): JsonLd {
  return {
    '@type': 'Offer',
    url: title.address,
    price: formatMinorUnits(price),
    priceCurrency: currency,
    availability: `${context}/${isAvailable ? 'InStock' : 'OutOfStock'}`,
    eligibleRegion: title.country,
    seller: { '@type': 'Organization', name: title.publisherName || title.publicationName },
  }
}

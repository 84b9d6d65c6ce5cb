import type { Currency } from '../kernel/money.ts'
import { cutText } from '../kernel/text-format.ts'
import { bandOf, currencyOf } from '../pricing/region.rules.ts'

/** A back issue as any visitor may see it: its price in each band, in minor units, without the stock. */
export interface IssueOnSale {
  id: number
  volume: string
  description: string
  coverImage: string | null
  price: number | null
  priceUs: number | null
  priceEu: number | null
  postage: number | null
  postageUs: number | null
  postageEu: number | null
  isInStock: boolean
}

/** What one copy costs in a country, in minor units. */
export interface IssueOffer {
  id: number
  volume: string
  description: string
  coverImage: string | null
  price: number
  postage: number
  isInStock: boolean
}

/** The issue's price and postage in a country; null where it is not sold there. A price of zero counts as no price, and no postage as zero. */
export function issueOffer(issue: IssueOnSale, country: string): IssueOffer | null {
  const byBand = {
    UK: { price: issue.price, postage: issue.postage },
    US: { price: issue.priceUs, postage: issue.postageUs },
    EU: { price: issue.priceEu, postage: issue.postageEu },
  }
  const { price, postage } = byBand[bandOf(country)]
  if (!price) return null
  const { id, volume, description, coverImage, isInStock } = issue
  return { id, volume, description, coverImage, price, postage: postage ?? 0, isInStock }
}

/** The issues sold in a country, in stock or not, with the prices its buyers see. */
export function issuesFor(issues: readonly IssueOnSale[], country: string): IssueOffer[] {
  return issues.flatMap((issue) => issueOffer(issue, country) ?? [])
}

export interface IssueTotal {
  price: number
  postage: number
  amount: number
}

/** What some issues cost together: the issues, their postage, and both. */
export function issueTotal(issues: readonly Pick<IssueOffer, 'price' | 'postage'>[]): IssueTotal {
  const price = issues.reduce((sum, issue) => sum + issue.price, 0)
  const postage = issues.reduce((sum, issue) => sum + issue.postage, 0)
  return { price, postage, amount: price + postage }
}

export function issueCurrency(country: string): Currency {
  return currencyOf(bandOf(country))
}

const maxNameLength = 200

/** What an order of these issues is called in lists and emails: "Back issue: Winter 2025", "2 back issues: Winter 2025, Spring 2026". */
export function issuesName(volumes: readonly string[]): string {
  const name =
    volumes.length === 1 ? `Back issue: ${volumes[0]}` : `${volumes.length} back issues: ${volumes.join(', ')}`
  return name.length > maxNameLength ? `${cutText(name, maxNameLength - 1)}…` : name
}

import { addDays, addMonths } from '../kernel/calendar.ts'
import { type Day, formatDay, openEnd, openStart } from '../kernel/dates.ts'
import { formatMoney } from '../kernel/money.ts'
import { type Product, planName } from '../pricing/plan-code.rules.ts'
import { bandOf, currencyOf } from '../pricing/region.rules.ts'
import { corruptAddress, corruptName, misspelt } from './corrupt-reader.ts'
import type { DemoPublication } from './demo-publications.ts'
import { asForces, asOrganisation, makePerson, type Person } from './make-person.ts'
import type { Customer, Sale } from './make-sales.ts'
import { dataSources, jobTitles, readerTypes } from './names.ts'
import type { Random } from './random.ts'

export interface DemoReader extends Person {
  jobTitle: string
  readerType: string
  /** Each stands for four opt-outs, the publication's or its partners'; true: opted out. */
  refusesOffers: boolean
  refusesPartners: boolean
  subType: Product | ''
  subStartOn: Day
  subEndOn: Day
  subRenewOn: Day
  /** Minor units; null is a free reader. */
  subPaid: number | null
  subCurrency: string
  dataSourceOne: string
  answerA: string
  answerC: string
  origin: 'file' | 'storefront' | 'staff'
  isDeleted: boolean
  createdOn: Day
  history: string
  customer: Customer | null
}

/** The readers a publisher brings along in files: mostly good, with the errors that years of typing leave. */
export function makeImportedReaders(random: Random, publication: DemoPublication, today: Day): DemoReader[] {
  const readers: DemoReader[] = []
  while (readers.length < publication.imported) {
    const reader = importedReader(random, publication, today)
    readers.push(reader)
    if (random.chance(0.018)) readers.push({ ...reader, createdOn: addDays(reader.createdOn, 40) })
    else if (random.chance(0.016)) readers.push(misspelt(random, reader))
    else if (random.chance(0.012)) readers.push(partnerOf(random, reader))
  }
  return readers
}

/** The reader record that results from a customer's orders, applied in sequence. */
export function readerOf(customer: Customer, sales: readonly Sale[]): DemoReader {
  const { recipient, publication } = customer
  const last = sales.at(-1)
  const paid = last ? last.price - last.discount : 0
  return {
    ...recipient,
    email: customer.isGift ? '' : customer.buyer.email,
    jobTitle: '',
    readerType: customer.isGift ? 'Gift recipient' : 'Individual',
    refusesOffers: recipient.telephone === '',
    refusesPartners: true,
    subType: customer.subType,
    subStartOn: customer.subStartOn,
    subEndOn: customer.subEndOn,
    subRenewOn: customer.subEndOn,
    subPaid: paid > 0 ? paid : null,
    subCurrency: currencyOf(bandOf(customer.buyer.country)),
    dataSourceOne: 'Storefront',
    answerA: publication.questionA ? 'Yes' : '',
    answerC: customer.answerC,
    origin: 'storefront',
    isDeleted: false,
    createdOn: sales[0]?.on ?? customer.subStartOn,
    history: sales.map(historyLine).join('\n'),
    customer,
  }
}

/** As a real order writes it to the history. */
function historyLine(sale: Sale): string {
  const amount = sale.price - sale.discount
  const price = amount > 0 ? formatMoney({ amount, currency: currencyOf(sale.band) }) : 'Free'
  const until = sale.termMonths === null ? 'until further notice' : `to ${formatDay(sale.endOn)}`
  return `${formatDay(sale.on)} ${sale.orderNumber}: ${planName(sale)}, ${price}, ${formatDay(sale.startOn)} ${until}`
}

function importedReader(random: Random, publication: DemoPublication, today: Day): DemoReader {
  const plain = makePerson(random)
  const kind = random.weighted([
    ['person', 940],
    ['organisation', 52],
    ['forces', 8],
  ])
  const person =
    kind === 'organisation'
      ? asOrganisation(random, plain)
      : kind === 'forces'
        ? asForces(random, plain)
        : corruptName(random, plain)
  const addressed = corruptAddress(random, person)
  const term = makeTerm(random, publication, addressed.country, today)
  return {
    ...addressed,
    jobTitle: kind === 'organisation' || random.chance(0.07) ? random.pick(jobTitles) : '',
    readerType: kind === 'organisation' ? random.pick(['Trade', 'Library', 'School']) : random.pick(readerTypes),
    refusesOffers: random.chance(0.45),
    refusesPartners: random.chance(0.8),
    ...term,
    subCurrency: currencyOf(bandOf(addressed.country)),
    dataSourceOne: random.chance(0.7) ? random.pick(dataSources) : '',
    answerA: '',
    answerC: '',
    origin: random.chance(0.96) ? 'file' : 'staff',
    isDeleted: random.chance(0.022),
    createdOn: addMonths(today, -random.pick([24, 24, 24, 14, 5])),
    history: '',
    customer: null,
  }
}

type Term = Pick<DemoReader, 'subType' | 'subStartOn' | 'subEndOn' | 'subRenewOn' | 'subPaid'>

function makeTerm(random: Random, publication: DemoPublication, country: string, today: Day): Term {
  const state = random.weighted([
    ['running', 58],
    ['ending', 6],
    ['justEnded', 3],
    ['ended', 19],
    ['open', 8],
    ['none', 3],
    ['notStarted', 3],
  ] as const)
  if (state === 'none')
    return { subType: '', subStartOn: openStart, subEndOn: openEnd, subRenewOn: openEnd, subPaid: null }
  const offer = random.pick(publication.prices.filter(({ termMonths }) => termMonths >= 6))
  const isFree = random.chance(0.07)
  const bandIndex = (['UK', 'US', 'EU'] as const).indexOf(bandOf(country))
  const subPaid = isFree || state === 'open' ? null : (offer.amounts[bandIndex] ?? null)
  if (state === 'open') {
    const subStartOn = addDays(today, -random.int(100, 2600))
    return {
      subType: random.pick(['print', 'print', 'bundle', 'digital']),
      subStartOn,
      subEndOn: openEnd,
      subRenewOn: openEnd,
      subPaid,
    }
  }
  const months = offer.termMonths * (random.chance(0.1) ? 2 : 1)
  const daysLeft = {
    running: () => random.int(31, months * 30 - 2),
    ending: () => random.int(1, 30),
    justEnded: () => -random.int(1, 30),
    ended: () => -random.int(31, 1100),
    notStarted: () => months * 30 + random.int(3, 40),
  }[state]()
  const subEndOn = addDays(today, daysLeft)
  return { subType: offer.product, subStartOn: addMonths(subEndOn, -months), subEndOn, subRenewOn: subEndOn, subPaid }
}

/** The other half of a couple: the same address and mailbox, another first name. */
function partnerOf(random: Random, reader: DemoReader): DemoReader {
  if (!reader.lastName) return reader
  const firstName = random.pick(['Margaret', 'Susan', 'Peter', 'David', 'Chris', 'Pat'])
  return { ...reader, title: '', firstName, fullName: `${firstName} ${reader.lastName}` }
}

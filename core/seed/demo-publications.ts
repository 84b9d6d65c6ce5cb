import type { ApplicableProducts } from '../pricing/discount.rules.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { everyProduct } from '../promos/promo.rules.ts'

/** Amounts in pence, US cents and euro cents: [UK, US, EU]. */
type BandPrices = readonly [number, number, number]

export interface DemoPublication {
  name: string
  urlKey: string
  issuesPerYear: number
  color: string
  info: string
  /** `{app}` is the address of this installation, so that demo links work. */
  links: Partial<Record<'webAddress' | 'sampleEdition' | 'facebook' | 'twitter' | 'instagram' | 'youtube', string>> &
    Partial<Record<'iosAppLink' | 'androidAppLink' | 'kindleAppLink' | 'digitalEditionLink', string>>
  receiptText: string
  renewText: string
  questionA: string
  questionC: string
  digitalIsFree: boolean
  prices: readonly { product: Product; termMonths: TermMonths; isRecurring: boolean; amounts: BandPrices }[]
  backIssues: readonly {
    volume: string
    description: string
    stock: number | null
    price: BandPrices
    postage: BandPrices
  }[]
  promoCodes: readonly DemoPromoCode[]
  /** Readers imported from a file, and new storefront customers in an average month. */
  imported: number
  customersPerMonth: number
}

export interface DemoPromoCode {
  name: string
  code: string
  percent: number
  /** Days from today; null is unbounded. */
  starts: number | null
  ends: number | null
  /** Zero is unlimited. */
  uses: number
  applicable: ApplicableProducts
}

const yearOnly = { priceOneYear: true, priceSixMonths: false, priceThreeMonths: false }

function once(product: Product, termMonths: TermMonths, ...amounts: BandPrices) {
  return { product, termMonths, isRecurring: false, amounts }
}

function renewing(product: Product, termMonths: TermMonths, ...amounts: BandPrices) {
  return { product, termMonths, isRecurring: true, amounts }
}

/** The demo publisher's three magazines. */
export const demoPublications: readonly DemoPublication[] = [
  {
    name: 'Harbour Light',
    urlKey: 'harbour-light',
    issuesPerYear: 12,
    color: '#12455C',
    info: `Harbour Light is a monthly about living at the edge of the sea. Each issue walks one stretch of coast with the people who work it: pilots, boatbuilders, kelp cutters, lifeboat crews and the café owner who opens at five for all of them. There are tide-table walks you can do with children, one long read, recipes for whatever the boats bring in, and a pull-out chart drawn by hand. No celebrity second homes, ever. Printed in Cornwall on heavy, uncoated paper that survives a wet coat pocket.`,
    links: {
      webAddress: '{app}/harbour-light',
      sampleEdition: '{app}/media/demo/harbour-light-sample.svg',
      facebook: 'https://www.facebook.com/',
      instagram: 'https://www.instagram.com/',
      youtube: 'https://www.youtube.com/',
      iosAppLink: 'https://www.apple.com/app-store/',
      androidAppLink: 'https://play.google.com/store',
      digitalEditionLink: '{app}/media/demo/harbour-light-sample.svg',
    },
    receiptText:
      'Thank you for coming aboard. Printed copies leave us in the last week of the month before the cover date; the digital edition opens on the first.',
    renewText:
      'Your subscription to Harbour Light is about to end. Renew today and the next issue will be on the mat before the tide turns.',
    questionA: '',
    questionC: '',
    digitalIsFree: false,
    prices: [
      once('print', 12, 5400, 9800, 8200),
      once('print', 6, 2900, 5200, 4400),
      once('print', 3, 1550, 2800, 2350),
      renewing('print', 12, 4900, 8900, 7500),
      renewing('print', 3, 1350, 2500, 2100),
      once('digital', 12, 2999, 3799, 3499),
      once('digital', 6, 1699, 2199, 1999),
      once('digital', 3, 949, 1199, 1099),
      renewing('digital', 12, 2499, 3199, 2899),
      renewing('digital', 1, 299, 399, 349),
      once('bundle', 12, 6400, 10900, 9300),
      once('bundle', 6, 3500, 5900, 5000),
      renewing('bundle', 12, 5800, 9900, 8400),
    ],
    backIssues: [
      {
        volume: 'Issue 94',
        description: 'The lightships: five weeks aboard the last crewed one, and where the others went.',
        stock: 42,
        price: [550, 800, 700],
        postage: [195, 690, 450],
      },
      {
        volume: 'Issue 93',
        description: 'Oyster smacks under sail, a winter walk round Scolt Head, and how to read a rip.',
        stock: 7,
        price: [550, 800, 700],
        postage: [195, 690, 450],
      },
      {
        volume: 'Issue 92',
        description: 'Herring: the fish that built a hundred towns. With six recipes from the quay.',
        stock: 0,
        price: [550, 800, 700],
        postage: [195, 690, 450],
      },
      {
        volume: 'Issue 91',
        description: 'The summer number: rock pools, tide mills and a pull-out chart of the Farne Islands.',
        stock: null,
        price: [450, 700, 600],
        postage: [195, 690, 450],
      },
    ],
    promoCodes: [
      {
        name: 'Autumn tide',
        code: 'TIDE20',
        percent: 20,
        starts: -40,
        ends: 55,
        uses: 500,
        applicable: everyProduct,
      },
      {
        name: 'Boat show readers',
        code: 'BOATSHOW',
        percent: 25,
        starts: -310,
        ends: -240,
        uses: 0,
        applicable: { print: yearOnly, bundle: yearOnly },
      },
      {
        name: 'Founding dozen',
        code: 'DOZEN30',
        percent: 30,
        starts: -420,
        ends: null,
        uses: 12,
        applicable: everyProduct,
      },
      {
        name: 'Spring launch',
        code: 'SPRING15',
        percent: 15,
        starts: 90,
        ends: 150,
        uses: 250,
        applicable: everyProduct,
      },
    ],
    imported: 1830,
    customersPerMonth: 24,
  },
  {
    name: 'Hedge & Furrow',
    urlKey: 'hedge-and-furrow',
    issuesPerYear: 6,
    color: '#33592F',
    info: `Hedge & Furrow is for people who grow things to eat and would rather be outside than read about it, so every page has to earn its place. Six times a year we bring one allotment, one old variety worth saving, one tool put through a hard season, and a sowing calendar for the two months ahead, written by growers from Shetland to the Lizard. Expect mud, plain figures and honest failures. Seeds from the variety of the issue come taped inside the back cover of every printed copy.`,
    links: {
      webAddress: '{app}/hedge-and-furrow',
      sampleEdition: '{app}/media/demo/hedge-and-furrow-sample.svg',
      instagram: 'https://www.instagram.com/',
      facebook: 'https://www.facebook.com/',
      digitalEditionLink: '{app}/media/demo/hedge-and-furrow-sample.svg',
    },
    receiptText:
      'Thank you for digging in with us. Copies go out in the first week of January, March, May, July, September and November.',
    renewText: 'Your subscription to Hedge & Furrow is about to end. Renew now and keep the seeds coming.',
    questionA: '',
    questionC: '',
    digitalIsFree: false,
    prices: [
      once('print', 12, 3300, 6400, 5200),
      once('print', 6, 1750, 3300, 2700),
      renewing('print', 12, 2995, 5900, 4800),
      once('digital', 12, 1800, 2400, 2100),
      once('digital', 6, 1000, 1300, 1150),
      renewing('digital', 12, 1500, 1999, 1799),
      once('bundle', 12, 4000, 7200, 5900),
      renewing('bundle', 12, 3600, 6600, 5400),
    ],
    backIssues: [
      {
        volume: 'No. 31, High summer',
        description: 'Thirty tomatoes blind-tasted, drip lines from scrap, and a plot on a church roof in Leeds.',
        stock: 88,
        price: [595, 900, 750],
        postage: [180, 650, 420],
      },
      {
        volume: 'No. 30, First sowings',
        description: 'Hotbeds without manure, the case for leeks, and a full bench-test of soil blockers.',
        stock: 3,
        price: [595, 900, 750],
        postage: [180, 650, 420],
      },
      {
        volume: 'No. 29, Dead of winter',
        description: 'Pruning old apple trees back to life, six hedges to lay, and the seed-swap directory.',
        stock: 0,
        price: [595, 900, 750],
        postage: [180, 650, 420],
      },
      {
        volume: 'The Compost Special',
        description: 'A hundred pages on the heap: hot, cold, wormed and turned. Kept in print by request.',
        stock: null,
        price: [795, 1150, 950],
        postage: [220, 790, 520],
      },
    ],
    promoCodes: [
      {
        name: 'Seed-swap visitors',
        code: 'SEEDSWAP',
        percent: 15,
        starts: -120,
        ends: 30,
        uses: 0,
        applicable: everyProduct,
      },
      {
        name: 'Show garden',
        code: 'SHOW10',
        percent: 10,
        starts: -200,
        ends: -130,
        uses: 300,
        applicable: { print: yearOnly, bundle: yearOnly },
      },
    ],
    imported: 1150,
    customersPerMonth: 13,
  },
  {
    name: 'Slow Steam',
    urlKey: 'slow-steam',
    issuesPerYear: 4,
    color: '#7A2A1D',
    info: `Slow Steam is the quarterly of model engineering done properly. Each number carries one locomotive or stationary engine from bar stock to first steaming, with dimensioned drawings you can scale from, castings checked before we recommend them, and a running cost that includes the mistakes. Between the builds you will find workshop visits, a boiler-test clinic, notes on small lathes bought second-hand, and letters from readers who disagree with all of it. The digital edition is free to anyone who builds; the printed one comes with fold-out sheets.`,
    links: {
      webAddress: '{app}/slow-steam',
      sampleEdition: '{app}/media/demo/slow-steam-sample.svg',
      youtube: 'https://www.youtube.com/',
      digitalEditionLink: '{app}/media/demo/slow-steam-sample.svg',
    },
    receiptText:
      'Thank you for subscribing. The quarterly is posted flat in a board-backed envelope at the start of February, May, August and November.',
    renewText: 'Your subscription to Slow Steam is about to end. Renew and the fold-out drawings keep arriving.',
    questionA: 'Do you build or run working models?',
    questionC: 'What is on your bench at the moment?',
    digitalIsFree: true,
    prices: [
      once('print', 12, 3800, 6800, 5600),
      renewing('print', 12, 3500, 6300, 5200),
      once('bundle', 12, 4400, 7500, 6200),
      renewing('bundle', 12, 4000, 6900, 5700),
    ],
    backIssues: [],
    promoCodes: [
      {
        name: 'Club members',
        code: 'CLUB10',
        percent: 10,
        starts: -365,
        ends: null,
        uses: 0,
        applicable: { print: yearOnly, bundle: yearOnly },
      },
    ],
    imported: 640,
    customersPerMonth: 9,
  },
]

import { everyProduct } from '../promos/promo.rules.ts'
import { type DemoPublication, demoPublications } from '../seed/demo-publications.ts'

const [harbourLight] = demoPublications as readonly [DemoPublication, ...DemoPublication[]]

/** About how many invented readers an example has: a few appear twice, as in real files. */
const readerCount = 36

/** The example title of a publisher: invented, with addresses of reserved domains only, and no link to any real person. */
export function exampleTitle(urlKey: string): DemoPublication {
  return {
    ...harbourLight,
    name: `Example: ${harbourLight.name}`,
    urlKey,
    links: {},
    backIssues: [],
    promoCodes: [
      {
        name: 'Welcome offer',
        code: 'WELCOME20',
        percent: 20,
        starts: null,
        ends: 90,
        uses: 0,
        applicable: everyProduct,
      },
      {
        name: 'First hundred',
        code: 'FIRST100',
        percent: 50,
        starts: null,
        ends: null,
        uses: 100,
        applicable: { print: { priceOneYear: true, priceSixMonths: false, priceThreeMonths: false } },
      },
    ],
    imported: readerCount,
    customersPerMonth: 0,
  }
}

/** Its pictures, which every installation has. */
export const examplePictures = {
  cover: `demo/${harbourLight.urlKey}-cover.svg`,
  logo: `demo/${harbourLight.urlKey}-logo.svg`,
}

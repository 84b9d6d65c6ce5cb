import type { PostcodeLookupResult } from '#core/ports/postcode-lookup.ts'
import { formatAddress } from '#core/postcodes/address-parts.rules.ts'

interface Street {
  town: string
  county: string
  addresses: readonly (readonly string[])[]
}

/** Made-up addresses for well-known example postcodes: a company and a flat in each. */
const streets: Record<string, Street> = {
  'SW1A 1AA': {
    town: 'London',
    county: '',
    addresses: [
      ['The Gatehouse', '1 Demo Mall'],
      ['Flat 2', 'Palace View', '3 Demo Mall'],
      ['Mall Catering Ltd', '5 Demo Mall'],
    ],
  },
  'EC1A 1BB': {
    town: 'London',
    county: '',
    addresses: [
      ['Barbican Type Foundry Ltd', '10 Printers Row'],
      ['Flat 1', '12 Printers Row'],
      ['Flat 2', '12 Printers Row'],
      ['14 Printers Row'],
    ],
  },
  'M1 1AE': {
    town: 'Manchester',
    county: 'Lancashire',
    addresses: [
      ['Cottonopolis Media Plc', 'Unit 4', 'Loom House', '20 Shuttle Street'],
      ['Apartment 7', 'Loom House', '20 Shuttle Street'],
      ['22 Shuttle Street'],
    ],
  },
  'B33 8TH': {
    town: 'Birmingham',
    county: 'West Midlands',
    addresses: [
      ['1 Canal Side'],
      ['2 Canal Side'],
      ['Flat A', '3 Canal Side'],
      ['Narrowboat Supplies Limited', '4 Canal Side'],
    ],
  },
  'CR2 6XH': {
    town: 'South Croydon',
    county: 'Surrey',
    addresses: [
      ['11 Orchard Rise'],
      ['13 Orchard Rise'],
      ['Flat 3', '15 Orchard Rise'],
      ['Orchard Accountants LLP', '17 Orchard Rise'],
    ],
  },
  'DN55 1PT': {
    town: 'Doncaster',
    county: 'South Yorkshire',
    addresses: [
      ['Railway Cottage', 'Station Approach'],
      ['Flat 1', '2 Station Approach'],
      ['Signal Works Ltd', '4 Station Approach'],
    ],
  },
  'TR11 3LH': {
    town: 'Falmouth',
    county: 'Cornwall',
    addresses: [
      ['1 Quay Street'],
      ['2 Quay Street'],
      ['Flat 2', 'Harbour House', '3 Quay Street'],
      ['Quayside Chandlers Ltd', '4 Quay Street'],
    ],
  },
}

/** A fake provider used if none is configured, so that the form can be tried. */
export function demoAddresses(postCode: string): PostcodeLookupResult {
  const street = streets[postCode]
  if (!street) return { result: 'unknown' }
  const { town, county, addresses } = street
  return { result: 'found', addresses: addresses.map((lines) => formatAddress({ lines, town, county })) }
}

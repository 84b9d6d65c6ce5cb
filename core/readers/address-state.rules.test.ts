import { describe, expect, it } from 'vitest'
import { addressState } from './address-state.rules.ts'

/** Addresses as the rules of the Postcode Address File print them: lines with one element or one premises each, then the post town. */
// biome-ignore format: a table
const wellFormed: readonly (readonly string[])[] = [
  ['1 Acacia Avenue', 'Abington', 'Sheffield'],
  ['12A Upper King Street', 'Norwich'],
  ['12-14 Bridge Street', 'Bath'],
  ['1-3 The Parade', 'Ely'],
  ['The Manor', 'Upper Hill', 'Hordean'],
  ['Holly House', '14 Mill Lane', 'Swaffham'],
  ['Rose Cottage', 'Church Lane', 'Little Walden', 'Saffron Walden'],
  ['Flat 1', 'Holly House', '14 Mill Lane', 'Swaffham'],
  ['Flat 1, Holly House', 'Mill Lane', 'Swaffham'],
  ['Flat 1, Holly House', '14 Mill Lane', 'Swaffham'],
  ['FLAT 12B, THE OLD MALTINGS', 'STATION ROAD', 'ELY'],
  ['Flat A, 14 Mill Lane', 'Swaffham'],
  ['Flat 3/2, 14 Byres Road', 'Glasgow'],
  ['Flat 0/1, 25 Hope Street', 'Glasgow'],
  ['2F1, 12 Marchmont Road', 'Edinburgh'],
  ['1/2, 25 Hope Street', 'Glasgow'],
  ['Apartment 7, Quay House', 'Quay Street', 'Bristol'],
  ['Apt. 3, Quay House', 'Bristol'],
  ['Unit 4, Elms Business Park', 'Great North Road', 'Biggleswade'],
  ['Units 4 & 5, Elms Business Park', 'Biggleswade'],
  ['Units 1-3, Elms Business Park', 'Biggleswade'],
  ['Unit B, Riverside Estate', 'Hull'],
  ['Suite 2, The Old Bank', 'High Street', 'Frome'],
  ['Suite 12, Second Floor', '10 Queen Square', 'Bristol'],
  ['First Floor, 12 King Street', 'London'],
  ['1st Floor, 12 King Street', 'London'],
  ['Ground Floor Flat, 12 King Street', 'London'],
  ['Top Floor Left, 9 Hill Street', 'Glasgow'],
  ['Basement Flat, 12 King Street', 'London'],
  ['Garden Flat, 12 King Street', 'Hove'],
  ['Basement, 12 King Street', 'London'],
  ['Penthouse, Quay House', 'Bristol'],
  ['Penthouse 2, Quay House', 'Bristol'],
  ['Studio 4, The Old Mill', 'Mill Lane', 'Ely'],
  ['Maisonette 2, 14 Mill Lane', 'Ely'],
  ['Block C, Kings Court', 'Leeds'],
  ['Room 12, Keble House', 'Oxford'],
  ['Ward 5, St James House', 'Leeds'],
  ['Building 3, Chiswick Park', '566 Chiswick High Road', 'London'],
  ['Level 5, Riverside Tower', 'Belfast'],
  ['House 4, Abbey Court', 'Reading'],
  ['Cottage 2, Home Farm', 'Ludlow'],
  ['Lodge 12, Fallbarrow Park', 'Windermere'],
  ['Chalet 9, Sandy Bay', 'Exmouth'],
  ['Caravan 12, Sandy Bay', 'Exmouth'],
  ['Berth 14, Town Quay Marina', 'Southampton'],
  ['Plot 6, Meadow View', 'Ely'],
  ['Shop 2, The Arcade', 'Accrington'],
  ['Office 9, Grand Arcade', 'Wigan'],
  ['The Annexe, Holly House', 'Mill Lane', 'Ely'],
  ['Annex, 14 Mill Lane', 'Ely'],
  ['Caretakers Flat, Mill School', 'Ely'],
  ['Rear of 14, Mill Lane', 'Ely'],
  ['Rear, 14 Mill Lane', 'Ely'],
  ['12A, Mill Lane', 'Ely'],
  ['12, Mill Lane', 'Ely'],
  ['5B Holly House', '14 Mill Lane', 'Ely'],
  ['PO Box 61', 'Fordham', 'Colchester'],
  ['2 Cheshunt Mews', 'Cypress Street', 'London'],
  ['Dower House', '27 Lower Lane', 'Middle Lane', 'Upper Thornton', 'Ely'],
  ['12 Low Road', 'Middleton', 'Stoke-on-Trent'],
  ['Mór Lodge', 'Isle of Mull'],
  ['16 Regiment', 'BFPO 57', 'BFPO'],
]

describe('addresses as the Postcode Address File has them', () => {
  it.each(wellFormed.map((parts) => [parts.join(' | '), parts] as const))('%s', (_, parts) => {
    const [addressOne = '', addressTwo = '', addressThree = '', addressFour = ''] = parts.slice(0, -1)
    expect(addressState({ addressOne, addressTwo, addressThree, addressFour, city: parts.at(-1) ?? '' })).toBe('ok')
  })

  it.each([
    ['12 High Street, Little Shelford', 'Cambridge'],
    ['Rose Cottage, Mill Lane', 'Ely'],
    ['Flat 1, Holly House, Mill Lane', 'Ely'],
    ['Flat 1, Ely', 'Ely'],
    ['Flat Cap Cottage, Mill Lane', 'Ely'],
    ['Flat 1, CB7 4AA', 'Ely'],
    ['Mill Lane, Ely, CB7 4AA', ''],
  ])('%s is still queried', (addressOne, city) => {
    expect(addressState({ addressOne, addressTwo: '', addressThree: '', addressFour: '', city })).toBe('queried')
  })
})

import type { SamplePublication } from './mail.ts'
import { sampleFrame } from './mail-frame.rules.ts'
import type { OrderFacts } from './order-facts.query.ts'

export const sampleAddress = {
  title: 'Mrs',
  firstName: 'Ann',
  lastName: "O'Brien",
  companyName: '',
  addressOne: '1 Quay Street',
  addressTwo: '',
  addressThree: '',
  city: 'London',
  state: '',
  postCode: 'SW1A 1AA',
  country: 'GB',
}

/** The sample order as an order of this publication, with the number and the amount that the specification gives. */
export function orderOfPublication<Facts extends OrderFacts>(facts: Facts, publication: SamplePublication): Facts {
  const { frame, currency, texts, links } = publication
  const money = { currency, price: 2999, discount: 0, promoCode: '', amount: 2999 }
  return { ...facts, ...money, orderNumber: 'OD-XXXXXXX', frame, texts, links }
}

/** An order as the preview of an email shows it. */
export function sampleOrder(): OrderFacts {
  return {
    id: 1204,
    publicationId: 7,
    readerId: 88,
    state: 'paid',
    orderNumber: 'OD-7KQ2MXA',
    orderedOn: '2026-11-21',
    productName: 'Print and digital, one year',
    plan: { product: 'bundle', termMonths: 12, isRecurring: false },
    issues: [],
    startOn: '2026-11-21',
    endOn: '2027-11-21',
    currency: 'GBP',
    price: 3499,
    discount: 500,
    promoCode: 'TIDE',
    amount: 2999,
    vat: null,
    isFree: false,
    name: "Mrs Ann O'Brien",
    email: 'ann@example.com',
    mobile: '',
    billing: sampleAddress,
    staffNote: '',
    delivery: sampleAddress,
    readerReference: 'HL4407689',
    answers: [{ label: 'Do you own a boat?', value: 'Yes' }],
    oversold: [],
    frame: sampleFrame,
    texts: {
      opening: '',
      ending: 'Best wishes,\nthe team at Harbour Light',
    },
    gift: null,
    replaced: null,
    debit: null,
    lacksPassword: true,
    orderEmailAddress: '',
    ccEmail: '',
    links: { digitalEdition: 'https://read.harbour-light.example/', ios: '', android: '', kindle: '' },
    language: null,
    country: 'GB',
  }
}

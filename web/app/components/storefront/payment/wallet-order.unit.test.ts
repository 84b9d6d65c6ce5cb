import { describe, expect, it } from 'vitest'
import { walletOrder } from './wallet-order.ts'

const address = { line1: '1 Quay', line2: null, city: 'Falmouth', state: '', postal_code: 'TR11 3LH', country: 'GB' }
const billingDetails = { name: 'Ann Mary Lee', email: 'ann@example.test', phone: '07700 900123', address }

describe('a wallet order', () => {
  it('has the same fields as the form', () => {
    expect(walletOrder({ billingDetails }, { country: 'GB' }).fields).toEqual({
      firstName: 'Ann Mary',
      lastName: 'Lee',
      email: 'ann@example.test',
      confirmEmail: 'ann@example.test',
      mobile: '07700 900123',
      'billing.addressOne': '1 Quay',
      'billing.addressTwo': '',
      'billing.city': 'Falmouth',
      'billing.state': '',
      'billing.postCode': 'TR11 3LH',
      isDeliveredToBilling: 'true',
    })
  })

  it('has a delivery address only if it differs from the billing address', () => {
    const shippingAddress = { name: 'Ann Mary Lee', address: { ...address } }
    expect(walletOrder({ billingDetails, shippingAddress }, { country: 'GB' }).fields).toMatchObject({
      isDeliveredToBilling: 'true',
    })
    const otherAddress = { name: 'Tom Lee', address: { ...address, line1: '2 Hill', line2: 'Flat 3' } }
    expect(walletOrder({ billingDetails, shippingAddress: otherAddress }, { country: 'GB' }).fields).toMatchObject({
      isDeliveredToBilling: 'false',
      'shipping.firstName': 'Tom',
      'shipping.addressOne': '2 Hill',
      'shipping.addressTwo': 'Flat 3',
    })
  })

  it('is refused for an address outside the country of the prices', () => {
    const abroad = { ...address, country: 'FR' }
    expect(walletOrder({ billingDetails: { ...billingDetails, address: abroad } }, { country: 'GB' })).toEqual({
      refused: 'invalid_billing_address',
    })
    expect(
      walletOrder({ billingDetails, shippingAddress: { name: 'Tom', address: abroad } }, { country: 'GB' }),
    ).toEqual({
      refused: 'invalid_shipping_address',
    })
    expect(walletOrder({}, { country: 'GB' })).toEqual({ refused: 'invalid_billing_address' })
  })

  it('of a logged-in buyer is placed with the email of the account', () => {
    const accountEmail = 'ann.lee@example.test'
    expect(walletOrder({ billingDetails }, { country: 'GB', accountEmail }).fields).toMatchObject({
      firstName: 'Ann Mary',
      email: accountEmail,
      confirmEmail: accountEmail,
    })
  })

  it('ignores the contact data of the wallet, whatever its country, if the addresses are on file', () => {
    const abroad = { ...billingDetails, address: { ...address, country: 'FR' } }
    expect(walletOrder({ billingDetails: abroad }, { country: 'GB', isAddressKnown: true })).toEqual({ fields: {} })
  })

  it('uses a single name as first and last name', () => {
    const singleName = { ...billingDetails, name: ' Madonna ' }
    expect(walletOrder({ billingDetails: singleName }, { country: 'GB' }).fields).toMatchObject({
      firstName: 'Madonna',
      lastName: 'Madonna',
    })
  })
})

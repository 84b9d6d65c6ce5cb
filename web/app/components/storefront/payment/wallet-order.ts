import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'

type WalletDetails = Pick<StripeExpressCheckoutElementConfirmEvent, 'billingDetails' | 'shippingAddress'>
type Address = NonNullable<WalletDetails['shippingAddress']>['address']

/** The order form's fields from a wallet's data, or which of the wallet's addresses is outside the country of the prices. */
export type WalletOrder =
  | { fields: Record<string, string>; refused?: undefined }
  | { fields?: undefined; refused: 'invalid_billing_address' | 'invalid_shipping_address' }

interface WalletBuyer {
  /** The country whose prices are shown. */
  country: string
  /** The email of the logged-in buyer: the order is theirs, whatever email the wallet has. */
  accountEmail?: string | undefined
  /** Whether buyer and addresses are on file; if so, the wallet's contact data is ignored. */
  isAddressKnown?: boolean | undefined
}

/** Converts the wallet's contact data to fields of the order form. */
export function walletOrder(
  { billingDetails, shippingAddress }: WalletDetails,
  { country, accountEmail, isAddressKnown }: WalletBuyer,
): WalletOrder {
  if (isAddressKnown) return { fields: {} }
  if (!billingDetails || billingDetails.address.country !== country) return { refused: 'invalid_billing_address' }
  if (shippingAddress && shippingAddress.address.country !== country) return { refused: 'invalid_shipping_address' }
  const { phone = '', name, address } = billingDetails
  const email = accountEmail ?? billingDetails.email ?? ''
  const hasOtherAddress =
    shippingAddress !== undefined &&
    JSON.stringify([name, addressOf(address)]) !==
      JSON.stringify([shippingAddress.name, addressOf(shippingAddress.address)])
  return {
    fields: {
      ...namesOf(name),
      email,
      confirmEmail: email,
      mobile: phone,
      ...withPrefix('billing', addressOf(address)),
      isDeliveredToBilling: String(!hasOtherAddress),
      ...(hasOtherAddress
        ? withPrefix('shipping', { ...namesOf(shippingAddress.name), ...addressOf(shippingAddress.address) })
        : {}),
    },
  }
}

/** Wallets have one field for the full name: the last word is taken as the last name; a single word is used for both. */
function namesOf(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/)
  const lastName = words.pop() ?? ''
  return { firstName: words.join(' ') || lastName, lastName }
}

function addressOf({ line1, line2, city, state, postal_code: postCode }: Address): Record<string, string> {
  return { addressOne: line1, addressTwo: line2 ?? '', city, state, postCode }
}

function withPrefix(prefix: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]))
}

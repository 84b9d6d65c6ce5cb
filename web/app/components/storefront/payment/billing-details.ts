/** The buyer's name and address from the order form, in Stripe's format. */
export function billingDetails(typed: Readonly<Record<string, string>>) {
  const read = (name: string) => (typed[name] ?? '').trim()
  return {
    name: `${read('firstName')} ${read('lastName')}`.trim(),
    email: read('email'),
    phone: read('mobile'),
    address: {
      line1: read('billing.addressOne'),
      line2: read('billing.addressTwo'),
      city: read('billing.city'),
      state: read('billing.state'),
      postal_code: read('billing.postCode'),
      country: read('country'),
    },
  }
}

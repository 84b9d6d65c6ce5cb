/** Who pays and where they live, as the order form says it, in the provider's own words. */
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

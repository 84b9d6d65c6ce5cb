/** What a page must not give back: passwords and card details are typed again. */
const neverKept = /password|cardNumber/i

/** The typed values that a refused order shows again. */
export function keptValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !neverKept.test(name)))
}

/** The flat fields of the order form as the order's own shape: `billing.city` becomes `{ billing: { city } }`. */
export function orderInput(urlKey: string, values: Record<string, string>): Record<string, unknown> {
  const isDeliveredToBilling = values.isDeliveredToBilling !== 'false'
  const {
    plan,
    country,
    currency,
    idempotencyKey,
    promoCode,
    title,
    firstName,
    lastName,
    email,
    confirmEmail = '',
    password,
  } = values
  return {
    urlKey,
    plan,
    country,
    currency,
    idempotencyKey,
    promoCode,
    title,
    firstName,
    lastName,
    email,
    confirmEmail,
    password,
    billing: group(values, 'billing'),
    isDeliveredToBilling,
    shipping: isDeliveredToBilling ? null : group(values, 'shipping'),
    answers: group(values, 'answers'),
    optOuts: group(values, 'optOuts'),
    payment: { details: group(values, 'payment') },
  }
}

function group(values: Record<string, string>, prefix: string): Record<string, string> {
  const start = `${prefix}.`
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), value]] : [],
    ),
  )
}

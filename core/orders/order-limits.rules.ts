/** The most characters that each text of an order may have. Nothing is truncated: longer texts are refused. */
export const orderLimits = {
  title: 30,
  firstName: 100,
  lastName: 100,
  email: 254,
  password: 200,
  mobile: 40,
  companyName: 200,
  addressOne: 200,
  addressTwo: 200,
  addressThree: 200,
  city: 100,
  state: 100,
  postCode: 20,
  answer: 500,
  promoCode: 60,
  giftMessage: 500,
} as const

/** A name and a postal address, as an order keeps it and a reader record gets it. */
export interface PostalAddress {
  title: string
  firstName: string
  lastName: string
  companyName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  city: string
  state: string
  postCode: string
  /** ISO alpha-2. */
  country: string
}

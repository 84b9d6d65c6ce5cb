import { z } from 'zod'
import { optionalText, requiredText } from '../kernel/form-fields.ts'

/** The address to which issues are posted. Without a name, the previous name is kept. */
export const DeliveryAddress = z.object({
  title: optionalText(30),
  firstName: optionalText(100),
  lastName: optionalText(100),
  companyName: optionalText(200),
  addressOne: requiredText(200),
  addressTwo: optionalText(200),
  addressThree: optionalText(200),
  city: optionalText(100),
  state: optionalText(100),
  postCode: requiredText(20),
})

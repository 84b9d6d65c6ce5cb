import { payees } from '#core/accounts/payee-keys.rules.ts'

/** Labels of the fields of My Account. */
export const accountLabels = {
  firstName: 'First name',
  lastName: 'Last name',
  companyName: 'Company name',
  fullName: 'Full name',
  mainContact: 'Main contact',
  telephone: 'Telephone',
  mobile: 'Mobile',
  emailAddress: 'Main contact email',
  singleEmailAddress: 'Subscriptions email',
  addressOne: 'Address line 1',
  addressTwo: 'Address line 2',
  addressThree: 'Address line 3',
  addressFour: 'Address line 4',
  country: 'Country',
  postZip: 'Postcode',
  mainCurrency: 'Main currency',
  'directDebitDets.selectedDD': 'Direct debit mandates',
  'directDebitDets.chargeableName': 'Name on bank statements',
  'directDebitDets.serviceUserNumber': 'Service user number',
  email: 'New email',
  emailPassword: 'Your current password',
  currentPassword: 'Your current password',
  password: 'New password',
  password2: 'Confirm new password',
  ...Object.fromEntries(
    Object.entries(payees).flatMap(([provider, { fields }]) => [
      ...fields.map(({ name, label }) => [`${provider}.${name}`, label]),
      [`${provider}.currentPassword`, 'Your current password'],
      [`${provider}.removePassword`, 'Your current password'],
    ]),
  ),
}

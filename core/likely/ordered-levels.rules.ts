/**
 * Fields with their levels in rising order: each level is at least as strong evidence for a pair as the one before it. The weights of other fields
 * are not constrained.
 */
export const orderedLevels: Readonly<Record<string, readonly string[]>> = {
  first: ['otherName', 'other', 'sound', 'near', 'slip', 'same'],
  last: ['other', 'part', 'sound', 'near', 'slip', 'same'],
  number: ['other', 'near', 'same'],
  street: ['other', 'part', 'near', 'same'],
  flat: ['other', 'one', 'none', 'same'],
  city: ['other', 'near', 'same'],
  town: ['other', 'near', 'same'],
  postCode: ['other', 'district', 'near', 'same'],
  email: ['other', 'box', 'near', 'same'],
  phone: ['other', 'near', 'same'],
  company: ['other', 'part', 'near', 'same'],
  'organisation.company': ['other', 'part', 'near', 'same'],
}

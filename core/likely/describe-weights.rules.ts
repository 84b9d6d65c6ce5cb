import type { LearnedWeights } from '../ports/likely-finder.ts'

const names: Readonly<Record<string, string>> = {
  first: 'first name', last: 'surname', number: 'house number', street: 'street', flat: 'flat', city: 'town', postCode: 'postcode',
  town: 'town of readers without a street or postcode', email: 'email', phone: 'telephone', company: 'company',
} // biome-ignore format: a table

/** Smaller differences from the default weights are not described. */
const minWeightShown = 0.5

/** What a search learned about its file, in short sentences. */
export function describeWeights({ readers, commonEmails, commonPhones, moves }: LearnedWeights): string[] {
  const texts: string[] = []
  const shared = (number: number, what: string) => {
    if (number === 0) return
    const share = (100 * number) / Math.max(1, readers)
    const percentage = share < 1 ? 'less than 1' : Math.round(share)
    texts.push(`${what} that many readers share is ignored: ${percentage}% of the readers have one`)
  }
  shared(commonEmails, 'an email')
  shared(commonPhones, 'a telephone number')
  for (const [field, name] of Object.entries(names)) {
    const same = moves[`${field}.same`] ?? 0
    const other = moves[`${field}.other`] ?? 0
    if (same >= minWeightShown) texts.push(`the same ${name} counts more than usual`)
    else if (same <= -minWeightShown) texts.push(`the same ${name} counts less than usual`)
    if (other >= minWeightShown) texts.push(`a different ${name} counts less against a match than usual`)
    else if (other <= -minWeightShown) texts.push(`a different ${name} counts more against a match than usual`)
  }
  return texts
}

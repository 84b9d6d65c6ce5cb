/** The letters and digits of order numbers: none that are confused over the telephone. */
export const orderNumberLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

const part = new RegExp(`^(?:(?:O?D)?-)?[${orderNumberLetters}]*$`, 'i')
const whole = new RegExp(`^OD-[${orderNumberLetters}]{7}$`, 'i')

/** Whether a search word is a whole order number. */
export const isOrderNumber = (word: string) => whole.test(word)

/**
 * Whether a search word may be a part of an order number such as OD-7KQ2MXA. One or two characters occur in the number of every hundredth order by
 * chance: they are not looked for.
 */
export function mayBeOrderNumber(word: string): boolean {
  return word.length >= 3 && part.test(word)
}

/** Marks an English text in a table that is said by `t` later, so that the test of translations knows of it. */
export function phrase<Text extends string>(text: Text): Text {
  return text
}

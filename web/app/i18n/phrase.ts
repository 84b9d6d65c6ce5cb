/** Marks an English text that is translated by `t` later, so that the test of translations finds it. */
export function phrase<Text extends string>(text: Text): Text {
  return text
}

const known = new Map<string, string>()

/** The column that holds a field: `addressOne` stands in `address_one`. Kept: fields are few, and statements are made of them all day. */
export function columnName(field: string): string {
  let name = known.get(field)
  if (name === undefined) {
    name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    known.set(field, name)
  }
  return name
}

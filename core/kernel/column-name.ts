const cached = new Map<string, string>()

/** The column of a field: `addressOne` is in `address_one`. Cached: fields are few, and statements are built constantly. */
export function columnName(field: string): string {
  let name = cached.get(field)
  if (name === undefined) {
    name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    cached.set(field, name)
  }
  return name
}

/** The ids of ticked boxes in a form, by the boxes' name. */
export function checkedIds(values: Readonly<Record<string, string>>, name: string): number[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const [prefix, id] = field.split('.')
    return prefix === name && value === 'true' ? [Number(id)] : []
  })
}

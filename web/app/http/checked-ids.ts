/** The ids of a form's ticked checkboxes that are named `<name>.<id>`. */
export function checkedIds(values: Readonly<Record<string, string>>, name: string): number[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const [prefix, id] = field.split('.')
    return prefix === name && value === 'true' ? [Number(id)] : []
  })
}

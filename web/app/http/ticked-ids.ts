/** The ids that were ticked in a form, by the name of their tick boxes. */
export function tickedIds(values: Readonly<Record<string, string>>, name: string): number[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const [of, id] = field.split('.')
    return of === name && value === 'true' ? [Number(id)] : []
  })
}

/** The ids of the titles that were ticked in a form, by the name of their ticks. */
export function tickedIds(values: Readonly<Record<string, string>>, name: string): number[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const [of, id] = field.split('.')
    return of === name && value === 'true' ? [Number(id)] : []
  })
}

const monthOnly = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "2027-11" as November 2027. */
export function monthName(month: string): string {
  return monthOnly.format(new Date(`${month}-01T00:00:00Z`))
}

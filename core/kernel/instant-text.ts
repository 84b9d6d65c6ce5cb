/** A moment as SQLite stores it, in the format of the driver, so that stored moments compare as texts. PostgreSQL reads it as well. */
export function instantText(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', ' +00:00')
}

/** Identifies one state of a stored record, for compare-and-set; blank where none is stored. */
export function recordVersion(stored: { updatedAt: Date | null } | null | undefined): string {
  return stored?.updatedAt?.toISOString() ?? ''
}

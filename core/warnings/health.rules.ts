/**
 * Counts of the readers to whom a publication's issue would be posted on a day. A reader is in one count only, except for `doubled` and `expiring`.
 */
export interface HealthCounts {
  /** Readers whose subscription runs and is posted. */
  mailed: number
  /** Undeliverable: no addressee, or no address line. */
  noAddress: number
  /** Undeliverable: no postcode, in a country that requires one. */
  noPostCode: number
  /** Left out of the mailing file: the postcode is not valid in its country, or not in the publication's postcode file. */
  queried: number
  /** Doubtful: parts of the address in the wrong field. */
  illFormed: number
  /** Surplus copies: further records of the same full name at the same postcode. */
  doubled: number
  /** Ends within 30 days and does not renew automatically. */
  expiring: number
}

type HealthPart = Exclude<keyof HealthCounts, 'mailed'>

interface PartRow {
  label: string
  /** The action that fixes it. */
  action: string
  /** The part of a copy that is lost. */
  weight: number
  /** The list of Manage Data where it is fixed; null: the counts of the mailing file. */
  view: string | null
}

/**
 * The components of the score. A surplus copy, a copy that does not arrive and a reader whom the mailing file leaves out (queried postcode) count in
 * full. An address in the wrong fields counts half, since about half of these copies arrive; an expiring subscription counts a quarter, since the
 * copy is lost only if the reader does not renew.
 */
const healthParts = {
  noAddress: { label: 'No name or address', action: 'Complete names and addresses', weight: 1, view: null },
  noPostCode: { label: 'No postcode', action: 'Fill in missing postcodes', weight: 1, view: 'nopostcode' },
  doubled: { label: 'Duplicates', action: 'Merge duplicates', weight: 1, view: 'duplicatefullname' },
  queried: { label: 'Queried postcode', action: 'Correct queried postcodes', weight: 1, view: 'badpostcodes' },
  illFormed: { label: 'Address format', action: 'Fix the format of addresses', weight: 0.5, view: 'badaddressdata' },
  expiring: {
    label: 'Expiring in 30 days',
    action: 'Renew subscriptions that end soon',
    weight: 0.25,
    view: 'expirednextthirty',
  },
} as const satisfies Record<HealthPart, PartRow>

const healthPartNames = Object.keys(healthParts) as HealthPart[]

/** The score, from 0 to 100, rounded down so that 100 means that nothing is wrong; null if no reader gets a printed copy. */
export function healthScore(counts: HealthCounts): number | null {
  if (counts.mailed === 0) return null
  const lost = healthPartNames.reduce((sum, part) => sum + costOf(counts, part), 0)
  return Math.max(0, Math.floor(100 - lost + 1e-9))
}

/** How many points of the score a part costs. */
function costOf(counts: HealthCounts, part: HealthPart): number {
  return (100 * healthParts[part].weight * counts[part]) / counts.mailed
}

export interface HealthAction {
  part: HealthPart
  action: string
  readers: number
  /** How many points it would add to the score, to a tenth. */
  points: number
  view: string | null
}

/** The three actions that would raise the score most, the best first. */
export function bestActions(counts: HealthCounts): HealthAction[] {
  if (counts.mailed === 0) return []
  return healthPartNames
    .filter((part) => counts[part] > 0)
    .map((part) => ({
      part,
      action: healthParts[part].action,
      readers: counts[part],
      points: Math.round(costOf(counts, part) * 10) / 10,
      view: healthParts[part].view,
    }))
    .sort((a, b) => b.points - a.points)
    .slice(0, 3)
}

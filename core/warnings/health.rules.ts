/** The counts of a publication's print and bundle readers, as in a mailing of the day. Each is counted once, except for `doubled` and `expiring`. */
export interface HealthCounts {
  /** Readers whose subscription runs and is posted. */
  mailed: number
  /** Undeliverable: no addressee, or no address line. */
  noAddress: number
  /** Undeliverable: no postcode, in a country that delivers by one. */
  noPostCode: number
  /** Left out of the mailing file: the postcode is not one of its country, or not in the publication's file. */
  queried: number
  /** Doubtful: parts of the address in the wrong field. */
  illFormed: number
  /** Surplus copies: further records of the same full name at the same postcode. */
  doubled: number
  /** Their last day comes within 30 days, and nothing renews them. */
  expiring: number
}

type HealthPart = Exclude<keyof HealthCounts, 'mailed'>

interface PartRow {
  label: string
  /** The action that fixes it. */
  action: string
  /** The part of a copy that it costs. */
  weight: number
  /** The list of Manage Data in which it is fixed; null: the counts of the mailing file. */
  view: string | null
}

/**
 * The components of the score. A surplus copy and one that does not arrive count in full, as does a reader with a queried postcode, whom the mailing
 * file leaves out; an address in the wrong fields half, since about half of them arrive; an expiring subscription a quarter: the copy is lost only
 * if the reader does not renew.
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

/** The score of 0 to 100, rounded down so that 100 means nothing is wrong; null if no reader gets a printed copy. */
export function healthScore(counts: HealthCounts): number | null {
  if (counts.mailed === 0) return null
  const lost = healthPartNames.reduce((sum, part) => sum + costOf(counts, part), 0)
  return Math.max(0, Math.floor(100 - lost + 1e-9))
}

/** The cost of a part, in points of the score. */
function costOf(counts: HealthCounts, part: HealthPart): number {
  return (100 * healthParts[part].weight * counts[part]) / counts.mailed
}

export interface HealthAction {
  part: HealthPart
  action: string
  readers: number
  /** The points that it would add to the score, to a tenth. */
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

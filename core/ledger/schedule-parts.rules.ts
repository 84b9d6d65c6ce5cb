/** The figures of a row of the deferred revenue schedule, in the order they are added up. */
export const scheduleParts = ['opening', 'takenOver', 'sold', 'refunded', 'earned', 'closing'] as const

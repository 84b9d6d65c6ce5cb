/** `add`: adds new readers only. `combine`: updates existing readers and adds the others. `replace`: also removes readers that are not in the file. */
export const importModes = ['add', 'combine', 'replace'] as const
export type ImportMode = (typeof importModes)[number]
/** Which readers a replacement may remove: all, or only those that came from a file. */
export const importTargets = ['all', 'imported'] as const
export type ImportTarget = (typeof importTargets)[number]

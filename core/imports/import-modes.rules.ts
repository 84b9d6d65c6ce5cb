/** add: new readers only. combine: changes known ones, adds the rest. replace: removes what is not in the file. */
export const importModes = ['add', 'combine', 'replace'] as const
export type ImportMode = (typeof importModes)[number]
/** Which readers a replace replaces: all, or only those that came in a file. */
export const importTargets = ['all', 'imported'] as const
export type ImportTarget = (typeof importTargets)[number]

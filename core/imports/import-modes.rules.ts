/** add: new readers only. combine: changes those that are known, adds the rest. replace: what is not in the file goes. */
export const importModes = ['add', 'combine', 'replace'] as const
export type ImportMode = (typeof importModes)[number]
/** Whom a replace replaces: all readers, or only those that came in a file. */
export const importTargets = ['all', 'imported'] as const
export type ImportTarget = (typeof importTargets)[number]

/** `import`: reader files are fetched and imported. `mailing-file`: the mailing file is made and uploaded. */
export const transferKinds = ['import', 'mailing-file'] as const
export type TransferKind = (typeof transferKinds)[number]

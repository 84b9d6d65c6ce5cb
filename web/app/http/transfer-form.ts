/** The kinds and protocols of a new transfer, by the word in the address. */
export const newTransfers = {
  'import-sftp': { kind: 'import', protocol: 'sftp', title: 'Fetch reader files by SFTP' },
  'import-https': { kind: 'import', protocol: 'https', title: 'Fetch a reader file from a web address' },
  'mailing-file': { kind: 'mailing-file', protocol: 'sftp', title: 'Send the mailing file by SFTP' },
} as const

export type NewTransferKey = keyof typeof newTransfers

export function isNewTransfer(word: string | null): word is NewTransferKey {
  return word !== null && Object.hasOwn(newTransfers, word)
}

/** The name of a person's checkbox. */
export const alertCheckboxName = (userId: number) => `alert-${userId}`

/** A transfer's fields from its form: the ticked people become a list. */
export function transferValues(values: Record<string, string>): Record<string, unknown> {
  const alertUsers = Object.entries(values).flatMap(([name, value]) => {
    const [, id] = /^alert-(\d+)$/.exec(name) ?? []
    return id !== undefined && value === 'true' ? [Number(id)] : []
  })
  return { ...values, alertUsers }
}

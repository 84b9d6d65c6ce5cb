import { createHmac } from 'node:crypto'
import { sameText } from '../access/tokens.ts'

interface BounceAddresses {
  /** The return address of an email that cannot be delivered: the number of its row in `emails`, signed. */
  of(emailId: number): string
  /** The row of an address that an email was returned to; null where the address was not generated here. */
  emailIdOf(address: string): number | null
}

/**
 * Sender addresses of single emails: `bounces@example.com` becomes `bounces+16-<signature>@example.com`, so that a bounce identifies its email. In
 * lower case only: mail servers may change the case.
 */
export function bounceAddresses(appSecret: string, mailbox: string): BounceAddresses {
  const at = mailbox.lastIndexOf('@')
  const name = mailbox.slice(0, at)
  const domain = mailbox.slice(at + 1).toLowerCase()
  const tokenOf = (emailId: number) => {
    const signature = createHmac('sha256', appSecret).update(`bounce:${emailId}`).digest('hex').slice(0, 16)
    return `${emailId.toString(36)}-${signature}`
  }
  return {
    of: (emailId) => `${name}+${tokenOf(emailId)}@${domain}`,
    emailIdOf(address) {
      const [, token, id] = /\+(([0-9a-z]{1,11})-[0-9a-f]{16})@[^@]+$/.exec(address.toLowerCase()) ?? []
      if (token === undefined || id === undefined) return null
      const emailId = Number.parseInt(id, 36)
      return sameText(token, tokenOf(emailId)) ? emailId : null
    },
  }
}

import { hash, verify } from '@node-rs/argon2'

/** argon2id by current guidance: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

let decoy: Promise<string> | undefined

/** Whether a password is correct. Without a stored hash the check takes just as long, so that a stranger cannot tell who has an account. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this one')
  const matches = await verify(stored ?? (await decoy), password).catch(() => false)
  return Boolean(stored) && matches
}

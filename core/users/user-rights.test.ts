import { beforeAll, describe, expect, it } from 'vitest'
import type { UserType } from '#core/access/user-types.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { deactivateUser } from './deactivate-user.ts'
import { getUser } from './get-user.query.ts'
import { listUsers } from './list-users.query.ts'
import { reactivateUser } from './reactivate-user.ts'
import { resetTwoStep } from './reset-two-step.ts'
import { staffActor } from './staff-actor.ts'
import { updateUser } from './update-user.ts'
import { type UserRow, Users } from './users.rows.ts'

const services = await openTestServices()

const names = [
  'super',
  'otherSuper',
  'reseller',
  'otherReseller',
  'publisher',
  'pubadmin',
  'otherPubadmin',
  'admin',
  'mailer',
  'foreignPublisher',
  'foreignMailer',
] as const
type Name = (typeof names)[number]
const people = {} as Record<Name, UserRow>

beforeAll(async () => {
  const add = async (name: Name, userType: UserType, more: Partial<UserRow> = {}) => {
    people[name] = await makeUser(services, { userType, email: `${name}@example.test`, ...more })
  }
  await add('super', 'superuser')
  await add('otherSuper', 'superuser')
  await add('reseller', 'reseller')
  await add('otherReseller', 'reseller')
  await add('publisher', 'publisher', { resellerId: people.reseller.id })
  await add('foreignPublisher', 'publisher', { resellerId: people.otherReseller.id })
  const own = { parentPublisherId: people.publisher.id }
  await add('pubadmin', 'pubadmin', own)
  await add('otherPubadmin', 'pubadmin', own)
  await add('admin', 'admin', own)
  await add('mailer', 'mailer', own)
  await add('foreignMailer', 'mailer', { parentPublisherId: people.foreignPublisher.id })
})

const as = (name: Name) => services.as(staffActor(people[name]))

async function outcome(work: () => Promise<unknown>): Promise<'done' | 'denied' | 'notFound' | 'invalid'> {
  try {
    await work()
    return 'done'
  } catch (error) {
    if (isAppError(error) && ['denied', 'notFound', 'invalid'].includes(error.kind)) return error.kind as 'denied'
    throw error
  }
}

/** What an actor may do to a target, found by trying: e(dit), p(assword), t(wo-step reset), d(eactivate and reactivate); `-`: not found. */
async function permittedActions(actor: Name, target: Name): Promise<string> {
  const id = people[target].id
  if ((await outcome(() => getUser(as(actor), { id }))) === 'notFound') {
    for (const action of [updateUser, deactivateUser, reactivateUser, resetTwoStep])
      expect(await outcome(() => action(as(actor), { id })), `${actor} at ${target}`).toBe('notFound')
    return '-'
  }
  const password = `kite-${actor}-${target}`
  const twoStepSince = services.now()
  await services.db.transaction(() => Users.update(services, { id }, { twoStepSince }))
  const outcomes = {
    e: await outcome(() => updateUser(as(actor), { id, firstName: `By ${actor}` })),
    p: await outcome(() => updateUser(as(actor), { id, password, password2: password })),
    t: await outcome(() => resetTwoStep(as(actor), { id })),
    d: await outcome(() => deactivateUser(as(actor), { id })),
  }
  expect(await outcome(() => reactivateUser(as(actor), { id }))).toBe(outcomes.d)
  await services.db.transaction(() => Users.update(services, { id }, { isActive: true, twoStepSince: null }))
  const opened = await getUser(as(actor), { id })
  expect(opened.may, `${actor} at ${target}`).toEqual({
    edit: outcomes.e === 'done',
    deactivate: outcomes.d === 'done',
  })
  return Object.entries(outcomes)
    .filter(([, result]) => result === 'done')
    .map(([letter]) => letter)
    .join('')
}

/** For each actor, what it may do to each of `names`, in that order. */
const expectedActions: Partial<Record<Name, string[]>> = {
  super: ['e', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd', 'eptd'],
  reseller: ['-', '-', 'e', '-', 'epd', 'epd', 'epd', 'epd', 'epd', '-', '-'],
  publisher: ['-', '-', '-', '-', 'e', 'eptd', 'eptd', 'eptd', 'eptd', '-', '-'],
  pubadmin: ['-', '-', '-', '-', '', 'e', 'epd', 'epd', 'epd', '-', '-'],
}

describe('who may do what to whom', () => {
  for (const [actor, expected] of Object.entries(expectedActions) as [Name, string[]][]) {
    it(actor, async () => {
      const seen: Record<string, string> = {}
      for (const target of names) seen[target] = await permittedActions(actor, target)
      expect(seen).toEqual(Object.fromEntries(names.map((name, index) => [name, expected[index]])))
    })
  }

  it('allows reader administrators and mailers nothing', async () => {
    for (const actor of ['admin', 'mailer'] as const) {
      for (const action of [getUser, updateUser, deactivateUser, reactivateUser, resetTwoStep])
        expect(await outcome(() => action(as(actor), { id: people.mailer.id }))).toBe('denied')
      expect(await outcome(() => listUsers(as(actor), {}))).toBe('denied')
    }
  })

  it('lists exactly the users that can be opened, and the permitted actions for each', async () => {
    for (const actor of ['super', 'reseller', 'publisher', 'pubadmin'] as const) {
      const { rows, total, all } = await listUsers(as(actor), { size: 100 })
      const open = names.filter((_, index) => expectedActions[actor]?.[index] !== '-')
      expect(rows.map(({ id }) => id).sort()).toEqual(open.map((name) => people[name].id).sort())
      expect([total, all]).toEqual([open.length, open.length])
      for (const row of rows) {
        const opened = await getUser(as(actor), { id: row.id })
        expect(row.may).toEqual(opened.may)
        expect(row.whyNot.deactivate === null).toBe(row.may.deactivate)
      }
    }
  })
})

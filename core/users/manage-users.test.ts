import { describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { passwordMatches } from '#core/access/passwords.ts'
import { userTypes } from '#core/access/user-types.ts'
import { bodyOf } from '#core/emails/email-bodies.rows.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { timeOf } from '#core/kernel/calendar.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePublication, makeUser, operator, system } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { addPublisher } from './add-publisher.ts'
import { addUser } from './add-user.ts'
import { actorOfToken, issueApiToken } from './api-token.ts'
import { changePassword } from './change-password.ts'
import { deactivateUser } from './deactivate-user.ts'
import { getUser } from './get-user.query.ts'
import { listPublishers } from './list-publishers.query.ts'
import { listUsers } from './list-users.query.ts'
import { logIn } from './log-in.ts'
import { reactivateUser } from './reactivate-user.ts'
import { resendInvitation } from './resend-invitation.ts'
import { readSession } from './sessions.ts'
import { staffActor } from './staff-actor.ts'
import { updateUser } from './update-user.ts'
import { Users } from './users.rows.ts'

const services = await openTestServices()
let counter = 0
const newEmail = () => `new${++counter}@example.test`
const userForm = (more: Record<string, unknown> = {}) => ({
  firstName: 'Ann',
  lastName: 'Lee',
  email: newEmail(),
  userType: 'admin',
  ...more,
})
const storedUser = async (id: number) => {
  const user = await Users.find(services, { id: id })
  if (!user) throw new Error('The user is not there')
  return user
}
const emailsOf = async (userId: number) =>
  (await queuedEmails(services))
    .filter(({ about }) => about.userId === userId)
    .map(({ mail, about: { key: _, userId: __, at: ___, ...rest } }) => ({ mail, ...rest }))
const auditOf = (id: number) =>
  services.db.query<{ action: string; facts: string; publisher_id: number | null }>(
    `SELECT action, facts, publisher_id FROM audit_log WHERE subject_type = 'user' AND subject_id = :id ORDER BY id`,
    { id },
  )
const logInWithPassword = async (email: string) =>
  (await logIn(services.as(visitor), { email, password: 'masthead' })) as { sessionToken: string }

describe('adding a user', () => {
  it('makes them a member of the acting publisher and invites them, or sets a password', async () => {
    const publisher = await makeUser(services)
    const ctx = services.as(staffActor(publisher))
    const invited = await addUser(ctx, userForm({ companyName: 'Ignored Ltd', password: '', password2: '' }))
    expect(invited.isInvited).toBe(true)
    expect(await storedUser(invited.id)).toMatchObject({
      parentPublisherId: publisher.id,
      userType: 'admin',
      passwordHash: null,
      isActive: true,
    })
    expect((await storedUser(invited.id)).invitedAt).not.toBeNull()
    expect(await emailsOf(invited.id)).toEqual([{ mail: 'invitation' }])
    expect(await auditOf(invited.id)).toMatchObject([{ action: 'add-user', publisher_id: publisher.id }])

    const withPassword = await addUser(ctx, userForm({ password: 'kite-harbour', password2: 'kite-harbour' }))
    expect(withPassword.isInvited).toBe(false)
    expect(await passwordMatches((await storedUser(withPassword.id)).passwordHash, 'kite-harbour')).toBe(true)
    expect(await emailsOf(withPassword.id)).toEqual([])
    const shown = await getUser(ctx, { id: invited.id })
    expect(shown).toMatchObject({
      hasPassword: false,
      companyName: (await getUser(ctx, { id: publisher.id })).companyName,
    })
  })

  it('reports all errors at once', async () => {
    const taken = await makeUser(services, { email: 'Taken@Example.test' })
    const ctx = services.as(staffActor(taken))
    await expect(
      addUser(ctx, {
        lastName: 'x'.repeat(101),
        email: 'TAKEN@example.TEST',
        userType: 'superuser',
        password: 'abc',
        password2: 'abd',
      }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Please fix the errors and retry',
      fields: {
        firstName: 'Required',
        lastName: 'Must be 100 characters or fewer',
        email: 'That email is already taken',
        userType: 'This type cannot be added here',
        password: 'Must be at least 6 characters',
        password2: 'The passwords must match.',
      },
    })
    await expect(addUser(ctx, userForm({ email: 'no-at-sign', access: 'password' }))).rejects.toMatchObject({
      fields: { email: 'Invalid email address', password: 'Required' },
    })
  })

  it('creates no user of a type above the user’s own, on any screen', async () => {
    for (const userType of ['superuser', 'reseller', 'publisher', 'pubadmin'] as const) {
      const actor = await actorOf(services, userType)
      const publisher = await makeUser(services, {
        resellerId: actor.kind === 'staff' && userType === 'reseller' ? actor.userId : null,
      })
      const publisherField = ['superuser', 'reseller'].includes(userType) ? { publisherId: publisher.id } : {}
      for (const typeToAdd of userTypes) {
        const adding = addUser(services.as(actor), userForm({ userType: typeToAdd, ...publisherField }))
        if (['pubadmin', 'admin', 'mailer'].includes(typeToAdd)) expect((await adding).isInvited).toBe(true)
        else await expect(adding).rejects.toMatchObject({ fields: { userType: 'This type cannot be added here' } })
      }
    }
    const superuser = await addUser(services.as(operator), userForm({ userType: 'superuser' }))
    expect(await storedUser(superuser.id)).toMatchObject({ userType: 'superuser', parentPublisherId: null })
  })

  it('never adds a user to another tenant', async () => {
    const mine = await makeUser(services)
    const theirs = await makeUser(services)
    const reseller = await makeUser(services, { userType: 'reseller' })
    const colleague = await makeUser(services, { userType: 'mailer', parentPublisherId: mine.id })
    for (const [actor, publisherId] of [
      [staffActor(mine), theirs.id],
      [staffActor(reseller), theirs.id],
      [staffActor(reseller), 999_999],
      [await actorOf(services, 'superuser'), colleague.id],
    ] as [Actor, number][]) {
      await expect(addUser(services.as(actor), userForm({ publisherId }))).rejects.toMatchObject({ kind: 'notFound' })
    }
    await expect(addUser(services.as(staffActor(reseller)), userForm())).rejects.toMatchObject({
      fields: { publisherId: 'Choose the publisher' },
    })
    await deactivateUser(services.as(operator), { id: theirs.id })
    await expect(
      addUser(services.as(operator), userForm({ userType: 'mailer', publisherId: theirs.id })),
    ).rejects.toMatchObject({ fields: { publisherId: expect.stringContaining('deactivated') } })
  })

  it('accepts one of two concurrent users with the same email', async () => {
    const publisher = await makeUser(services)
    const email = newEmail()
    const answers = await Promise.allSettled([
      addUser(services.as(staffActor(publisher)), userForm({ email })),
      addUser(services.as(staffActor(publisher)), userForm({ email: email.toUpperCase() })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refusal = answers.find((result) => result.status === 'rejected')
    expect(refusal?.reason).toMatchObject({ kind: 'invalid', fields: { email: 'That email is already taken' } })
    const found = await services.db.query(`SELECT id FROM users WHERE email_key = :email`, { email })
    expect(found).toHaveLength(1)
  })
})

describe('changing a user', () => {
  it('keeps fields that are not sent, logs the names of what changed, and ignores unknown fields', async () => {
    const publisher = await makeUser(services)
    const user = await makeUser(services, { userType: 'mailer', parentPublisherId: publisher.id })
    const ctx = services.as(staffActor(publisher))
    const form: Record<string, unknown> = {
      id: user.id,
      lastName: 'Renamed',
      companyName: 'Other Ltd',
      parentPublisherId: 1,
      publisherId: 1,
      passwordHash: 'x',
      isActive: false,
    }
    const result = await updateUser(ctx, form)
    expect(result.changed).toEqual(['lastName'])
    expect(await storedUser(user.id)).toMatchObject({
      firstName: user.firstName,
      lastName: 'Renamed',
      parentPublisherId: publisher.id,
      passwordHash: user.passwordHash,
      isActive: true,
      tokenVersion: 0,
    })
    const [row] = await auditOf(user.id)
    expect(JSON.stringify(row)).not.toContain('Renamed')
    expect(await emailsOf(user.id)).toEqual([])
  })

  it('ends sessions and tokens with another role or password, but not with another name', async () => {
    const publisher = await makeUser(services)
    const ctx = services.as(staffActor(publisher))
    for (const change of [{ userType: 'admin' }, { password: 'kite-harbour', password2: 'kite-harbour' }]) {
      const user = await makeUser(services, { userType: 'mailer', email: newEmail(), parentPublisherId: publisher.id })
      const { sessionToken } = await logInWithPassword(user.email)
      const { token } = (await issueApiToken(services.as(visitor), { email: user.email, password: 'masthead' })) as {
        token: string
      }
      await updateUser(ctx, { id: user.id, firstName: 'Other' })
      expect(await readSession(services, sessionToken)).toHaveProperty('session')
      await updateUser(ctx, { id: user.id, ...change })
      expect(await readSession(services, sessionToken)).not.toHaveProperty('session')
      await expect(actorOfToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    }
  })

  it('refuses a type above the actor’s own, and a change of the actor’s own type', async () => {
    const publisher = await makeUser(services)
    const user = await makeUser(services, { userType: 'mailer', parentPublisherId: publisher.id })
    const pubadmin = await makeUser(services, { userType: 'pubadmin', parentPublisherId: publisher.id })
    const superuser = services.as(await actorOf(services, 'superuser'))
    for (const userType of ['superuser', 'reseller', 'publisher', 'nonsense']) {
      for (const ctx of [services.as(staffActor(publisher)), superuser, services.as(operator)])
        await expect(updateUser(ctx, { id: user.id, userType })).rejects.toMatchObject({
          fields: { userType: 'A user cannot be given this type' },
        })
    }
    await expect(
      updateUser(services.as(staffActor(pubadmin)), { id: pubadmin.id, userType: 'admin' }),
    ).rejects.toMatchObject({ fields: { userType: 'You cannot change your own type' } })
    await expect(updateUser(superuser, { id: publisher.id, userType: 'mailer' })).rejects.toMatchObject({
      fields: { userType: 'The type of this user cannot be changed' },
    })
  })

  it('leaves a user’s own password and email to My Account', async () => {
    const publisher = await makeUser(services)
    await expect(
      updateUser(services.as(staffActor(publisher)), {
        id: publisher.id,
        email: newEmail(),
        password: 'kite-harbour',
        password2: 'kite-harbour',
      }),
    ).rejects.toMatchObject({
      fields: {
        email: expect.stringContaining('My Account'),
        password: expect.stringContaining('My Account'),
      },
    })
  })

  it('sets the number of titles for a superuser and the publisher’s reseller, never below the existing ones', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const publisher = await makeUser(services, { resellerId: reseller.id })
    await services.db.run(`UPDATE accounts SET number_of_publications = 5 WHERE user_id = :id`, { id: publisher.id })
    for (let n = 0; n < 4; n++) await makePublication(services, { publisherId: publisher.id })
    // A paused title does not count.
    await services.db.run(
      `UPDATE publications SET paused_at = :now WHERE id = (SELECT MAX(id) FROM publications WHERE publisher_id = :id)`,
      { id: publisher.id, now: services.clock.now },
    )
    const ctx = services.as(staffActor(reseller))
    expect((await getUser(ctx, { id: publisher.id })).dependents).toMatchObject({ titles: 4, titlesUsed: 3 })
    expect((await listPublishers(ctx, {})).rows).toMatchObject([{ titles: 4, titlesUsed: 3, titlesAllowed: 5 }])
    await updateUser(ctx, { id: publisher.id, numberOfPublications: '3' })
    expect((await getUser(ctx, { id: publisher.id })).numberOfPublications).toBe(3)
    await expect(updateUser(ctx, { id: publisher.id, numberOfPublications: 2 })).rejects.toMatchObject({
      fields: { numberOfPublications: 'This publisher has 3 titles already. Allow at least 3.' },
    })
    for (const numberOfPublications of [0, 1001, '2.5', 'many'])
      await expect(updateUser(ctx, { id: publisher.id, numberOfPublications })).rejects.toMatchObject({
        kind: 'invalid',
      })
    await expect(
      updateUser(services.as(staffActor(publisher)), { id: publisher.id, numberOfPublications: 10 }),
    ).rejects.toMatchObject({ fields: { numberOfPublications: expect.stringContaining('reseller or a superuser') } })
    expect((await getUser(ctx, { id: publisher.id })).numberOfPublications).toBe(3)
  })

  it('voids links to the old email and notifies both addresses; a user without a password is invited again', async () => {
    const publisher = await makeUser(services)
    const ctx = services.as(staffActor(publisher))
    const user = await makeUser(services, { userType: 'mailer', email: newEmail(), parentPublisherId: publisher.id })
    await services.db.run(
      `INSERT INTO password_resets (token_hash, user_id, expires_at, created_at) VALUES (:hash, :id, :later, :now)`,
      { hash: 'h'.repeat(64), id: user.id, later: new Date('2030-01-01'), now: services.now() },
    )
    const email = newEmail()
    await updateUser(ctx, { id: user.id, email })
    expect(await emailsOf(user.id)).toEqual([
      { mail: 'account-notice', kind: 'email-changed', to: user.email },
      { mail: 'account-notice', kind: 'email-changed', to: email },
    ])
    expect(
      await services.db.query(`SELECT id FROM password_resets WHERE user_id = :id AND used_at IS NULL`, {
        id: user.id,
      }),
    ).toEqual([])
    const colleague = await makeUser(services, { userType: 'mailer', parentPublisherId: publisher.id })
    await expect(updateUser(ctx, { id: colleague.id, email: email.toUpperCase() })).rejects.toMatchObject({
      fields: { email: 'That email is already taken' },
    })

    const { id } = await addUser(ctx, userForm())
    await updateUser(ctx, { id, email: newEmail() })
    expect(await emailsOf(id)).toEqual([{ mail: 'invitation' }, { mail: 'invitation' }])
  })
})

it('a notice of a change says when and by whom it was made, whatever is changed before it is sent', async () => {
  const publisher = await makeUser(services)
  const user = await makeUser(services, { userType: 'mailer', parentPublisherId: publisher.id })
  const password = 'kite-harbour'
  await changePassword(services.as(staffActor(user)), {
    currentPassword: 'masthead',
    password,
    password2: password,
  })
  const [notice] = (await queuedEmails(services, 'account-notice')).filter(({ about }) => about.userId === user.id)
  const changedAt = timeOf(services.clock.now, services.settings.timeZone)
  await services.clock.runAhead({ hours: 5 }, async () => {
    await updateUser(services.as(staffActor(publisher)), { id: user.id, firstName: 'Grace' })
    await sendMail(services.as(system), { mail: 'account-notice', about: notice?.about ?? {} })
  })
  const [sent] = await services.db.query<{ id: number }>(
    `SELECT id FROM emails WHERE email_key LIKE 'account-notice:%:password-changed:%' ORDER BY id DESC LIMIT 1`,
  )
  const text = (await bodyOf(services, sent?.id ?? 0))?.text
  expect(text).toMatch(new RegExp(`When:.* ${changedAt} `))
  expect(text).not.toContain('Somebody who manages your account')
})

describe('inviting again', () => {
  it('is for users without a password, and limited', async () => {
    const publisher = await makeUser(services)
    const ctx = services.as(staffActor(publisher))
    const { id } = await addUser(ctx, userForm())
    for (let n = 0; n < 5; n++) await resendInvitation(ctx, { id })
    await expect(resendInvitation(ctx, { id })).rejects.toMatchObject({ kind: 'tooMany' })
    expect(await emailsOf(id)).toHaveLength(6)
    const withPassword = await makeUser(services, { userType: 'admin', parentPublisherId: publisher.id })
    await expect(resendInvitation(ctx, { id: withPassword.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is refused while the publisher is deactivated, as the email would never be sent', async () => {
    const publisher = await makeUser(services)
    const { id } = await addUser(services.as(staffActor(publisher)), userForm())
    const superuser = services.as(staffActor(await makeUser(services, { userType: 'superuser' })))
    await deactivateUser(superuser, { id: publisher.id })
    await expect(resendInvitation(superuser, { id })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('Reactivate the publisher first'),
    })
    expect(await emailsOf(id)).toHaveLength(1)
    await reactivateUser(superuser, { id: publisher.id })
    await resendInvitation(superuser, { id })
    expect(await emailsOf(id)).toHaveLength(2)
  })
})

describe('deactivating', () => {
  it('locks out a publisher with its staff, and they come back by logging in again', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const publisher = await makeUser(services, { email: newEmail(), resellerId: reseller.id })
    const mailer = await makeUser(services, { userType: 'mailer', email: newEmail(), parentPublisherId: publisher.id })
    const sessions = [await logInWithPassword(publisher.email), await logInWithPassword(mailer.email)]
    const ctx = services.as(staffActor(reseller))
    expect(await deactivateUser(ctx, { id: publisher.id })).toEqual({ id: publisher.id, changed: true })
    expect(await deactivateUser(ctx, { id: publisher.id })).toEqual({ id: publisher.id, changed: false })
    for (const { sessionToken } of sessions)
      expect(await readSession(services, sessionToken)).not.toHaveProperty('session')
    await expect(logInWithPassword(mailer.email)).rejects.toMatchObject({ kind: 'invalid' })
    expect((await listUsers(ctx, { q: mailer.email })).rows).toMatchObject([
      { isActive: true, isPublisherActive: false },
    ])
    await reactivateUser(ctx, { id: publisher.id })
    for (const { sessionToken } of sessions)
      expect(await readSession(services, sessionToken)).not.toHaveProperty('session')
    await expect(logInWithPassword(mailer.email)).resolves.toBeDefined()
    expect((await auditOf(publisher.id)).map(({ action }) => action)).toContain('deactivate-user')
  })

  it('keeps one superuser, even when two deactivate each other at once', async () => {
    await services.db.run(`UPDATE users SET is_active = :no WHERE user_type = 'superuser'`, { no: false })
    const superuser = await makeUser(services, { userType: 'superuser' })
    const otherSuperuser = await makeUser(services, { userType: 'superuser' })
    const answers = await Promise.allSettled([
      deactivateUser(services.as(staffActor(superuser)), { id: otherSuperuser.id }),
      deactivateUser(services.as(staffActor(otherSuperuser)), { id: superuser.id }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refusal = answers.find((result) => result.status === 'rejected')
    expect(refusal?.reason).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('last active superuser'),
    })
    const remaining = (await storedUser(superuser.id)).isActive ? superuser : otherSuperuser
    await expect(deactivateUser(services.as(operator), { id: remaining.id })).rejects.toMatchObject({
      kind: 'conflict',
    })
    const active = await services.db.query(`SELECT id FROM users WHERE user_type = 'superuser' AND is_active`)
    expect(active).toHaveLength(1)
  })
})

describe('adding a publisher', () => {
  it('creates the user and its account, for the acting reseller or the one a superuser chooses', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const otherReseller = await makeUser(services, { userType: 'reseller' })
    const form = {
      ...userForm(),
      userType: 'publisher',
      companyName: 'Kite Press',
      numberOfPublications: '4',
      country: 'ie',
    }
    const addedByReseller = await addPublisher(services.as(staffActor(reseller)), form)
    expect(await storedUser(addedByReseller.id)).toMatchObject({
      userType: 'publisher',
      resellerId: reseller.id,
      parentPublisherId: null,
    })
    expect(await getUser(services.as(staffActor(reseller)), { id: addedByReseller.id })).toMatchObject({
      companyName: 'Kite Press',
      numberOfPublications: 4,
    })
    const [account] = await services.db.query(`SELECT country, email_address FROM accounts WHERE user_id = :id`, {
      id: addedByReseller.id,
    })
    expect(account).toEqual({ country: 'IE', email_address: form.email })

    const superuser = services.as(await actorOf(services, 'superuser'))
    const chosen = await addPublisher(superuser, { ...form, email: newEmail(), resellerId: String(otherReseller.id) })
    expect((await storedUser(chosen.id)).resellerId).toBe(otherReseller.id)
    const withoutReseller = await addPublisher(superuser, { ...form, email: newEmail(), resellerId: '' })
    expect((await storedUser(withoutReseller.id)).resellerId).toBeNull()
    const addedReseller = await addPublisher(superuser, { ...form, email: newEmail(), userType: 'reseller' })
    expect((await storedUser(addedReseller.id)).userType).toBe('reseller')
  })

  it('refuses a reseller that adds a reseller, uses another one, or leaves the company out', async () => {
    const reseller = services.as(await actorOf(services, 'reseller'))
    const otherReseller = await makeUser(services, { userType: 'reseller' })
    const form = { ...userForm(), companyName: 'Kite Press' }
    await expect(addPublisher(reseller, { ...form, userType: 'reseller' })).rejects.toMatchObject({
      fields: { userType: 'This type cannot be added here' },
    })
    await expect(
      addPublisher(reseller, { ...form, userType: 'publisher', resellerId: otherReseller.id }),
    ).rejects.toMatchObject({ kind: 'notFound' })
    await expect(
      addPublisher(reseller, {
        email: 'x',
        userType: 'publisher',
        country: 'XX',
        emailAddress: 'y',
        numberOfPublications: 0,
        postZip: 'x'.repeat(21),
      }),
    ).rejects.toMatchObject({
      fields: {
        companyName: 'Required',
        firstName: 'Required',
        lastName: 'Required',
        email: 'Invalid email address',
        country: 'Choose a country from the list',
        emailAddress: 'Invalid email address',
        numberOfPublications: 'Must be at least 1',
        postZip: 'Must be 20 characters or fewer',
      },
    })
    await expect(addPublisher(services.as(await actorOf(services, 'publisher')), form)).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})

describe('listing users', () => {
  it('searches name, email and company, filters by state and type, and pages by name', async () => {
    const publisher = await makeUser(services, { firstName: 'Zed', lastName: 'Zulu' })
    const ctx = services.as(staffActor(publisher))
    const names = ['cara', 'Abel', 'Bede', 'dora', 'Eric', 'Finn', 'gwen', 'Hugo', 'Ines', 'Jude', 'Kit']
    for (const [index, firstName] of names.entries())
      await makeUser(services, {
        userType: index % 2 ? 'admin' : 'mailer',
        firstName,
        lastName: 'Oxeye_50%',
        email: `${firstName}@oxeye.test`,
        isActive: index !== 0,
        parentPublisherId: publisher.id,
      })
    const firstPage = await listUsers(ctx, {})
    expect(firstPage).toMatchObject({ total: 12, all: 12, pages: 2 })
    expect(firstPage.rows.map(({ firstName }) => firstName).slice(0, 4)).toEqual(['Abel', 'Bede', 'cara', 'dora'])
    expect((await listUsers(ctx, { page: 2 })).rows.map(({ firstName }) => firstName)).toEqual(['Kit', 'Zed'])
    const emails = (await listUsers(ctx, { sort: '-email', size: 25 })).rows.map(({ email }) => email.toLowerCase())
    expect(emails).toEqual(emails.toSorted().toReversed())
    expect(await listUsers(ctx, { q: 'FINN oxeye' })).toMatchObject({ total: 1, all: 12 })
    expect((await listUsers(ctx, { q: 'gwen@OXEYE' })).total).toBe(1)
    expect((await listUsers(ctx, { q: 'x_5' })).total).toBe(0)
    expect((await listUsers(ctx, { q: 'e_50%' })).total).toBe(11)
    expect((await listUsers(ctx, { state: 'deactivated' })).rows).toMatchObject([{ firstName: 'cara' }])
    expect((await listUsers(ctx, { state: 'active', userType: 'admin' })).total).toBe(5)
    expect((await listUsers(ctx, { q: firstPage.rows[0]?.companyName })).total).toBe(12)
  })

  it('finds accented names in any case', async () => {
    const { id } = await makeUser(services, { firstName: 'Émile', lastName: 'Ångström' })
    await services.db.run(`UPDATE accounts SET company_name = 'ÉDITION Été' WHERE user_id = :id`, { id })
    for (const q of ['Émile', 'émile ångström', 'ÅNGSTRÖM', 'édition été'])
      expect((await listUsers(services.as(operator), { q })).rows, q).toMatchObject([{ id }])
  })

  it('filters by a visible publisher or reseller, and shows all for the actor’s own id', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const publisher = await makeUser(services, { resellerId: reseller.id })
    const otherPublisher = await makeUser(services, { resellerId: reseller.id })
    const mailer = await makeUser(services, { userType: 'mailer', parentPublisherId: publisher.id })
    const pubadmin = await makeUser(services, { userType: 'pubadmin', parentPublisherId: publisher.id })
    const idsOf = async (actor: Actor, keyedTo: number) =>
      (await listUsers(services.as(actor), { keyedTo, size: 100 })).rows.map(({ id }) => id).sort((a, b) => a - b)
    expect(await idsOf(staffActor(reseller), publisher.id)).toEqual([publisher.id, mailer.id, pubadmin.id])
    expect(await idsOf(staffActor(reseller), reseller.id)).toEqual([
      reseller.id,
      publisher.id,
      otherPublisher.id,
      mailer.id,
      pubadmin.id,
    ])
    for (const keyedTo of [publisher.id, pubadmin.id])
      expect(await idsOf(staffActor(pubadmin), keyedTo)).toEqual([publisher.id, mailer.id, pubadmin.id])
    expect(await idsOf(operator, reseller.id)).toEqual([reseller.id, publisher.id, otherPublisher.id])
    for (const keyedTo of [otherPublisher.id, reseller.id, mailer.id, 999_999])
      await expect(idsOf(staffActor(publisher), keyedTo)).rejects.toMatchObject({ kind: 'notFound' })
    const publishers = await listPublishers(services.as(operator), { keyedTo: reseller.id })
    expect(publishers.rows.map(({ id }) => id).sort()).toEqual([publisher.id, otherPublisher.id].sort())
    const otherReseller = await makeUser(services, { userType: 'reseller' })
    await expect(
      listPublishers(services.as(staffActor(otherReseller)), { keyedTo: reseller.id }),
    ).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('reveals no hash and no secret', async () => {
    const publisher = await makeUser(services, { twoStepSecret: 'sealed-secret', twoStepSince: services.now() })
    const ctx = services.as(staffActor(publisher))
    const text = JSON.stringify([await listUsers(ctx, {}), await getUser(ctx, { id: publisher.id })])
    expect(text).not.toContain('sealed-secret')
    expect(text).not.toContain('argon2')
    expect(text).not.toMatch(/password_?hash/i)
  })
})

import { expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { untilBlocked } from '#tests/support/while-locked.ts'
import { getMailText } from './mail-texts.query.ts'
import { saveMailText } from './save-mail-text.ts'

it('the first text of an email is not overwritten by another first text that is saved at the same moment', async () => {
  const services = await openTestServices()
  const { id: publicationId, publisherId } = await makePublication(services)
  const owner = services.as(await actorOf(services, 'publisher', publisherId))
  const storedTexts = async () => (await getMailText(owner, { publicationId, mail: 'order-receipt' })).texts
  const version = (await storedTexts())[0]?.version ?? ''
  const save = (body: string) =>
    saveMailText(owner, { publicationId, mail: 'order-receipt', language: '', subject: '', body, version })
  const isSaved = deferred()
  const released = deferred()
  const theirs = services.db.transaction(async () => {
    await save('Theirs')
    isSaved.resolve()
    await released.promise
  })
  await isSaved.promise
  const mine = save('Mine').catch((error) => error)
  await untilBlocked(services, 1)
  released.resolve()
  await theirs
  expect(await mine).toMatchObject({ kind: 'conflict' })
  expect(await storedTexts()).toMatchObject([{ body: 'Theirs' }])
})

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { atFileEnd } from '#tests/support/file-end.ts'
import { callApi, openApiFixture } from './api-fixture.ts'

/** A publisher's program, as its author would write it with a client generated from the document. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './masthead.ts'

const [baseUrl = '', email = '', publication = ''] = process.argv.slice(2)
const publicationID = Number(publication)
const client = createClient<paths>({ baseUrl })
const loggedIn = await client.POST('/users/login', { body: { email, password: 'masthead' } })
if (!loggedIn.data) throw new Error(JSON.stringify(loggedIn.error))
const headers = { Authorization: 'Bearer ' + loggedIn.data.token }
const added = await client.POST('/subscriber', {
  headers,
  body: {
    publicationID,
    firstName: 'Ann',
    lastName: 'Lathe',
    email: 'ann@lathe.test',
    addressOne: '1 Harbour Row',
    city: 'Falmouth',
    postZip: 'TR11 3LH',
  },
})
if (added.error) throw new Error(JSON.stringify(added.error))
const found = await client.POST('/subscriber/search', { headers, body: { publicationID, q: 'lathe' } })
const [row] = found.data?.rows ?? []
const read = await client.GET('/subscriber/sub/{readerId}', { headers, params: { path: { readerId: row?._id ?? 0 } } })
const refused = await client.POST('/subscriber/search', { headers, body: { publicationID: 999999, q: 'lathe' } })
process.stdout.write(JSON.stringify({ city: read.data?.city, refused: refused.response.status }))
`

/** A program that the type checker must refuse: an unknown call, a field of another type, an unknown field of a response. */
const wrongProgram = `
import createClient from 'openapi-fetch'
import type { paths } from './masthead.ts'

const client = createClient<paths>({ baseUrl: '' })
await client.GET('/subscriber/nowhere')
await client.POST('/users/login', { body: { email: 1, password: 'masthead' } })
const answer = await client.POST('/users/login', { body: { email: '', password: '' } })
answer.data?.ticket
`

it('a program can log in, add a reader and find it with a client generated from the document', async () => {
  const fixture = await openApiFixture()
  // Next to the packages, so that the program can import them but no module of this project.
  const folder = join(process.cwd(), 'node_modules/.cache', `typed-client-${process.pid}`)
  await mkdir(folder, { recursive: true })
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  const document = await (await callApi(fixture, 'GET', '/openapi.json')).text()
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('masthead.ts', astToString(await openapiTS(document)))
  await write('program.ts', program)
  await write('wrong.ts', wrongProgram)
  await write('package.json', '{ "type": "module" }')
  await write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'nodenext',
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        types: ['node'],
      },
      include: ['*.ts'],
    }),
  )
  const checked = await execa('node_modules/typescript-7/bin/tsc', ['-p', folder], { reject: false })
  const errors = checked.stdout.split('\n').filter((line) => line.includes('error TS'))
  expect(errors.map((line) => line.replace(/.*\/(\w+\.ts)\((\d+),.*/, '$1 $2'))).toEqual([
    'wrong.ts 6',
    'wrong.ts 7',
    'wrong.ts 9',
  ])
  const { stdout } = await execa('node_modules/.bin/tsx', [
    join(folder, 'program.ts'),
    fixture.url,
    'publisher@mackerel.test',
    String(fixture.mine.publicationId),
  ])
  expect(JSON.parse(stdout)).toEqual({ city: 'Falmouth', refused: 404 })
})

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The API key that the fake servers know. */
export const postcodeKey = 'ak_standin_0001'

export interface PostcodeServer {
  url: string
  /** The requests, without the key. */
  requests: string[]
  /** How the next requests are answered: with a status, a broken connection, JSON of an unexpected shape, or never. */
  next(...answers: (number | 'drop' | 'nonsense' | 'hang')[]): void
  stop(): Promise<void>
}

type Protocol = (postCode: string, query: URLSearchParams) => { status: number; body: object }

async function open(path: RegExp, protocol: Protocol): Promise<PostcodeServer> {
  const requests: string[] = []
  const nextAnswers: (number | 'drop' | 'nonsense' | 'hang')[] = []
  const send = (response: ServerResponse, status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body)
  }
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    requests.push(decodeURIComponent(url.pathname))
    const fault = nextAnswers.shift()
    if (fault === 'hang') return
    if (fault === 'drop') return void request.socket.destroy()
    if (fault === 'nonsense') return send(response, 200, '{"result": "none", "addresses": 7}')
    if (fault) return send(response, fault, '{"message": "Not now"}')
    const postCode = path.exec(decodeURIComponent(url.pathname))?.[1]
    const { status, body } = postCode
      ? protocol(postCode, url.searchParams)
      : { status: 404, body: { message: 'No such path' } }
    send(response, status, JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...answers) => void nextAnswers.push(...answers),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Ideal Postcodes: knows one postcode; towns in capitals, a company as the first line. */
export function openIdealPostcodes(): Promise<PostcodeServer> {
  return open(/^\/v1\/postcodes\/(.+)$/, (postCode, query) => {
    if (query.get('api_key') !== postcodeKey) {
      return { status: 401, body: { code: 4010, message: 'Invalid Key. For more information see http://stand-in' } }
    }
    if (postCode !== 'SW1A 1AA') return { status: 404, body: { code: 4040, message: 'Postcode not found' } }
    const row = { postcode: postCode, post_town: 'STOKE-ON-TRENT', county: 'Staffordshire', organisation_name: '' }
    return {
      status: 200,
      body: {
        code: 2000,
        message: 'Success',
        result: [
          { ...row, line_1: '1 Kiln Street', line_2: '', line_3: '' },
          { ...row, line_1: 'Flat 2', line_2: 'Bottle House', line_3: '3, Kiln Street' },
          { ...row, organisation_name: 'Saltglaze Ltd', line_1: 'Saltglaze Ltd', line_2: '5 Kiln Street', line_3: '' },
        ],
      },
    }
  })
}

/** getAddress: the same postcode, in fields on request. */
export function openGetAddress(): Promise<PostcodeServer> {
  return open(/^\/find\/(.+)$/, (postCode, query) => {
    if (query.get('api-key') !== postcodeKey) return { status: 401, body: { Message: 'Forbidden' } }
    if (postCode === 'M1 1AE') return { status: 400, body: { Message: 'Bad Request' } }
    if (postCode !== 'SW1A 1AA') return { status: 404, body: { Message: 'Not Found' } }
    const row = { line_3: '', line_4: '', locality: '', town_or_city: 'Stoke-on-Trent', county: 'Staffordshire' }
    const expanded = [
      { ...row, line_1: '1 Kiln Street', line_2: '' },
      { ...row, line_1: 'Saltglaze Ltd', line_2: '5 Kiln Street', locality: 'Penkhull' },
    ]
    const lines = ['1 Kiln Street, , , , , Stoke-on-Trent, Staffordshire']
    return { status: 200, body: { addresses: query.get('expand') === 'true' ? expanded : lines } }
  })
}

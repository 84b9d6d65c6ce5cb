// A mail server that accepts every email and delays each response: `node slow-smtp.mjs MILLISECONDS`. Prints its port, then, five times a
// second, how many emails it has accepted and how many of them differ by Message-ID. A separate process, so that its cost is not measured.
import { createServer } from 'node:net'

const delayMs = Number(process.argv[2] ?? 50)
let accepted = 0
const ids = new Set()

const server = createServer((socket) => {
  let text = ''
  let isData = false
  const answer = (line) => setTimeout(() => socket.writable && socket.write(`${line}\r\n`), delayMs)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  answer('220 slow')
  socket.on('data', (chunk) => {
    text += chunk
    for (;;) {
      const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
      if (end < 0) return
      const line = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (isData) {
        isData = false
        accepted++
        ids.add(/^Message-ID: *(\S+)/im.exec(line)?.[1])
        answer('250 accepted')
      } else if (/^EHLO/i.test(line)) answer('250-slow\r\n250-PIPELINING\r\n250 8BITMIME')
      else if (/^DATA/i.test(line)) {
        isData = true
        answer('354 go on')
      } else if (/^QUIT/i.test(line)) {
        answer('221 bye')
        setTimeout(() => socket.end(), delayMs)
      } else answer('250 fine')
    }
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`)
  setInterval(() => process.stdout.write(`${accepted} ${ids.size}\n`), 200)
})

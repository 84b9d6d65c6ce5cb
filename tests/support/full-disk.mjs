// Loaded into a process by NODE_OPTIONS: its data folder is on a full disk, where a file can be created and nothing can be written to it.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { writeFileSync } = fs
const { writeFile } = fs.promises
const isFull = (path) => String(path).startsWith(process.env.DATA_DIR)
const noSpace = (path) =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
    errno: -28,
    path,
  })

fs.promises.writeFile = async (path, data, ...options) => {
  await writeFile(path, isFull(path) ? '' : data, ...options)
  if (isFull(path)) throw noSpace(path)
}
fs.writeFileSync = (path, data, ...options) => {
  writeFileSync(path, isFull(path) ? '' : data, ...options)
  if (isFull(path)) throw noSpace(path)
}
syncBuiltinESMExports()

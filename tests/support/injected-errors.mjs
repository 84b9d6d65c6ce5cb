// Loaded into the built server by NODE_OPTIONS: signals raise an unhandled rejection and an uncaught error.
process.on('SIGUSR2', () => {
  Promise.reject(new Error('planted rejection'))
})
process.on('SIGWINCH', () => {
  setImmediate(() => {
    throw new Error('planted error')
  })
})

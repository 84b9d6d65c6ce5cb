// Loaded into the built server by NODE_OPTIONS: signals plant the faults that nobody in the product is supposed to leave.
process.on('SIGUSR2', () => {
  Promise.reject(new Error('planted rejection'))
})
process.on('SIGWINCH', () => {
  setImmediate(() => {
    throw new Error('planted error')
  })
})

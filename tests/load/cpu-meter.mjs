/** Loaded into a server with `--import`: tells whoever started it how much CPU time the process has used so far. */
process.on('message', (message) => {
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() })
})

/** Loaded into a server with `--import`: tells the parent process how much CPU time this one has used so far. */
process.on('message', (message) => {
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() })
})

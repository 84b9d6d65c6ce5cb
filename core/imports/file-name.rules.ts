/** What is wrong with an uploaded file's name; null when it is the name of a CSV. */
export function fileNameProblem(fileName: string): string | null {
  const name = bareName(fileName)
  return /^[^.].*\.(csv|CSV)$/.test(name) ? null : 'Invalid file type'
}

/** A file's own name without the folders that some browsers send along, in at most 255 characters. */
export function bareName(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? ''
  return name.length > 255 ? `${name.slice(0, 240)}…${name.slice(-10)}` : name
}

/** The pages whose forms upload pictures: only they may exceed the limit of text forms. */
const uploadPaths = [
  /^\/account\/picture$/,
  /^\/addpublication\/images$/,
  /^\/editpublication\/\d+\/images$/,
  /^\/publications\/\d+\/(cover|logo)$/,
  /^\/backissues\/\d+\/cover$/,
  /^\/addbackissue$/,
  /^\/editbackissue\/\d+$/,
]

/** Whether a form may upload pictures. Remix fetches a page's data at its address plus `.data`. */
export function mayCarryImages(path: string): boolean {
  const page = path
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/(?<=.)\/$/, '')
  return uploadPaths.some((pattern) => pattern.test(page))
}

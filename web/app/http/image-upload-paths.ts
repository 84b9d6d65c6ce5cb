/** The pages whose forms carry pictures: theirs alone may be larger than text is. */
const uploadPaths = [
  /^\/account\/picture$/,
  /^\/addpublication\/images$/,
  /^\/editpublication\/\d+\/images$/,
  /^\/publications\/\d+\/(cover|logo)$/,
  /^\/backissues\/\d+\/cover$/,
  /^\/addbackissue$/,
  /^\/editbackissue\/\d+$/,
]

/** Whether a form may carry pictures. Scripts ask for a page's data under its address with `.data` behind it. */
export function mayCarryImages(path: string): boolean {
  const page = path
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/(?<=.)\/$/, '')
  return uploadPaths.some((pattern) => pattern.test(page))
}

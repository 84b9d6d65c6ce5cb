import { PostcodeFiles } from '#core/postcode-files/postcode-files.rows.ts'
import type { TestServices } from './test-services.ts'

/** Gives a publication a file of valid postcodes, without checking its readers. */
export async function withPostcodeFile<Title extends { id: number }>(
  services: TestServices,
  title: Title,
  postCodes: readonly string[],
): Promise<Title> {
  const fileId = await PostcodeFiles.insert(services, {
    publicationId: title.id,
    fileName: 'codes.csv',
    storedFile: null,
    bytes: 1,
    rejects: [],
    isLive: true,
  })
  for (const postCode of postCodes)
    await services.db.run('INSERT INTO postcodes (file_id, post_code) VALUES (:fileId, :postCode)', {
      fileId,
      postCode,
    })
  return title
}

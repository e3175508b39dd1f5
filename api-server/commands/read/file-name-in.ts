import { sourceFileName } from '../../../common/command-line/model/source-file-name.ts'

/**
 * The decoded name at the end of an input's URL.
 * @param path without query; its beginning may be missing
 * @returns the last folder or the host for a path that ends in a slash
 */
export function fileNameIn(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  // The parser of URLs encodes what was sent without encoding.
  return sourceFileName(`http://host/${last}`) || last
}

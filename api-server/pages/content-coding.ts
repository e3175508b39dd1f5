/**
 * Whether a client accepts a coding by its name. Browsers that accept it do not name it with `q=0`.
 * @param header Accept-Encoding
 */
export function acceptsCoding(coding: 'br' | 'gzip', header = ''): boolean {
  const named = new RegExp(`(?:^|,)\\s*${coding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i')
  return named.test(header)
}

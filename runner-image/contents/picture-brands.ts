/** Brands of pictures in the container of films, by the usual extension; the first that fits counts. */
const brandsOf: readonly (readonly [extension: string, brands: readonly string[]])[] = [
  ['avif', ['avif', 'avis']],
  ['heic', ['heic', 'heix', 'heim', 'heis']],
  ['heics', ['hevc', 'hevx', 'hevm', 'hevs', 'msf1']],
  ['heif', ['mif1', 'mif2']],
  ['cr3', ['crx ']],
]

/**
 * @param brands all of a file: the picture's may stand behind one that says nothing about its codec
 * @returns null for other files
 */
export function pictureOfBrands(brands: readonly string[]): string | null {
  const found = brandsOf.find(([, names]) => names.some((name) => brands.includes(name)))
  return found?.[0] ?? null
}

/** Codes of four characters, without a separator. */
export function brandsIn(text: string): string[] {
  return text.match(/[^]{4}/g) ?? []
}

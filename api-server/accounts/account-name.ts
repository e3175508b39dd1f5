/** A DNS label (RFC 1123): labels, columns and `spec.account` in the cluster carry it. */
export const accountNamePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const longestBase = 40

/**
 * Candidate names of a new account, of which the first free one is taken: the requested name, or
 * the part of the address before the @, then the same with a random suffix.
 * @param random uniform in [0, 1)
 */
export function accountNamesFor(
  { email, name }: { readonly email: string; readonly name: string | null },
  random: () => number,
): string[] {
  const wish = accountNameFrom(name ?? '')
  const base = wish ?? accountNameFrom(email.split('@')[0] ?? '') ?? 'account'
  const ends = Array.from({ length: 5 }, () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  )
  return [base, ...ends.map((end) => `${base}-${end}`)]
}

/** A text reduced to a DNS label, accents removed; null if no character remains. */
export function accountNameFrom(text: string): string | null {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longestBase)
    .replace(/-+$/, '')
  return name === '' ? null : name
}

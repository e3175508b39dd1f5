/** Markup of VitePress's search dialog, and the one that screen readers need in its place. */
const replaced = [
  // A button must not contain the input and the links of the dialog.
  [
    / role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    ' role="dialog" aria-modal="true"',
  ],
  [
    ' aria-autocomplete="both"',
    ' role="combobox" aria-autocomplete="both" aria-haspopup="listbox" :aria-expanded="results?.length ? \'true\' : \'false\'"',
  ],
  // The option itself is the link: an option must not contain one.
  [
    / :id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/,
    ' role="presentation"',
  ],
  [
    / :aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
    ` :id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
  // The name of a picture of a key, such as "up arrow".
  [/<kbd :aria-label=/g, '<kbd role="img" :aria-label='],
] as const

/**
 * Corrects the roles of the search dialog, which axe reports: VitePress has no setting for them.
 * @throws if the component of a newer VitePress has other markup
 */
export function searchRoles() {
  return {
    name: 'search-roles',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | null {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return null
      return replaced.reduce<string>((markup, [before, after]) => {
        const text = markup.replace(before, after)
        if (text === markup) throw new Error(`VitePress's search has no ${String(before)} now`)
        return text
      }, code)
    },
  }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect } from 'chai'

describe('colours of the reference', () => {
  const own = readFileSync(path.join(import.meta.dirname, 'reference.css'), 'utf8')
  const vendorFile = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css')
  const vendor = readFileSync(vendorFile, 'utf8')

  it('the version is not white on white: our rules outweigh those of Swagger UI, in dark too', () => {
    const badge = '.info .title small'
    for (const [end, property] of [
      [badge, 'background'],
      [`${badge} pre`, 'color'],
    ] as const) {
      const theirs = strongest(vendor, end, property)
      const ours = strongest(own, end, property)
      expect(theirs.weight, end).to.be.greaterThan(0)
      expect(ours.weight, end).to.be.at.least(theirs.weight)
      expect(ours.value, end).to.match(/^(?:none|var\(--muted\))$/)
    }
  })

  it('each method has a colour of its own that white text can be read on', () => {
    const colours = ['get', 'post', 'put', 'delete'].map((method) => {
      const isMethod = (selector: string) =>
        selector.includes(`.opblock-${method} `) && selector.endsWith('.opblock-summary-method')
      const theirs = strongest(vendor, isMethod, 'background')
      const ours = strongest(own, isMethod, 'background')
      expect(ours.weight, method).to.be.at.least(theirs.weight)
      expect(contrastWithWhite(ours.value), method).to.be.at.least(4.5)
      return ours.value
    })
    expect(new Set(colours).size).to.equal(4)
  })
})

/** Declaration of the most specific rule for an element; of equal ones the last. */
function strongest(
  css: string,
  wanted: string | ((selector: string) => boolean),
  property: string,
): { readonly weight: number; readonly value: string } {
  const fits = typeof wanted === 'string' ? (text: string) => text.endsWith(wanted) : wanted
  const value = new RegExp(`(?:^|[;\\s])${property}(?:-color)?:\\s*([^;]+)`)
  let best = { weight: 0, value: '' }
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const found = value.exec(body)?.[1]?.trim()
    if (found === undefined) continue
    for (const selector of selectors.replaceAll(/\/\*[^]*?\*\//g, '').split(',')) {
      const weight = weightOf(selector.trim())
      if (fits(selector.trim()) && weight >= best.weight) best = { weight, value: found }
    }
  }
  return best
}

/** Specificity of a selector without ids: classes and pseudo-classes weigh 100, elements 1. */
function weightOf(selector: string): number {
  const classes = selector.match(/[.:][\w-]+/g)?.length ?? 0
  const elements = selector.match(/(?<=^|[\s>])[a-z]+/g)?.length ?? 0
  return classes * 100 + elements
}

function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\da-f]{2}/gi) ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

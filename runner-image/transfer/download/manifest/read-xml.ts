import { SaxesParser } from 'saxes'
import { Failure } from '../../../../common/domain/failures.ts'

export interface XmlElement {
  /** Without the prefix of its namespace. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Text without that of the children. */
  readonly text: string
}

type OpenElement = Omit<XmlElement, 'children' | 'text'> & { children: XmlElement[]; text: string }

/** A manifest of a day with a line for each segment has 100,000; each takes a hundred bytes and more. */
const elementsLimit = 300_000

/** @throws Failure if it is not well-formed. Entities that it declares are not expanded. */
export function readXml(text: string): XmlElement {
  const document: OpenElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  let elements = 0
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw new Failure('INVALID_INPUT_FILE', 'the manifest cannot be read', { cause: error })
  })
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > elementsLimit) {
      const limit = String(elementsLimit)
      throw new Failure('INPUT_TOO_LARGE', `the manifest has more than ${limit} elements`)
    }
    const element = { name: localName(name), attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (piece) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += piece
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  return document.children[0] ?? document
}

export function childrenOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return parent?.children.filter((child) => child.name === name) ?? []
}

export function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((child) => child.name === name)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

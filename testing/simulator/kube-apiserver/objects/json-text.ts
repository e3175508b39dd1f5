/** Objects of the store never change in place, and each goes to several readers. */
const texts = new WeakMap<object, string>()

export function jsonText(object: object): string {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  texts.set(object, text)
  return text
}

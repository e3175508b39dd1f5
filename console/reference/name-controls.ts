/** Swagger UI leaves these without a name for screen readers, and gives some a role that they do not have. */
const rules: readonly (readonly [string, (element: Element) => void])[] = [
  ['select.examples-select-element', label('Example')],
  ['.content-type-wrapper select, select.content-type', label('Media type')],
  ['textarea.body-param__text', label('Body of the request')],
  ['.parameters-col_description :is(textarea, input, select):not([aria-label])', labelByRow],
  ['pre.microlight, pre.curl', (element) => element.setAttribute('tabindex', '0')],
  ['button.close-modal', label('Close')],
  ['.modal-btn', remove('aria-label')],
  ['.responses-table', remove('role')],
  ['.information-container', landmark('About')],
  ['.scheme-container', landmark('Key')],
  [':is(.opblock-tag, .modal-ux h3)', level(2)],
  ['.modal-ux :is(h4, h6)', level(3)],
  ['.opblock-section-header h4, .responses-inner > div > h4', level(3)],
  ['.responses-inner h4:not([aria-level]), .responses-inner h5', level(4)],
]

/** Applies the rules to what is there, and to what appears later. */
export function nameControls(root: Element): void {
  const apply = () => {
    for (const [selector, change] of rules) root.querySelectorAll(selector).forEach(change)
  }
  new MutationObserver(apply).observe(root, { childList: true, subtree: true })
  apply()
}

function label(text: string) {
  return (element: Element) => element.setAttribute('aria-label', text)
}

function landmark(text: string) {
  return (element: Element) => {
    element.setAttribute('role', 'region')
    element.setAttribute('aria-label', text)
  }
}

function remove(attribute: string) {
  return (element: Element) => element.removeAttribute(attribute)
}

function level(number: number) {
  return (element: Element) => element.setAttribute('aria-level', String(number))
}

/** A field has the name of its parameter, which is in the same row. */
function labelByRow(element: Element): void {
  const name = element.closest('tr')?.getAttribute('data-param-name')
  element.setAttribute('aria-label', name ?? 'Value')
}

import { addressCall } from './follow-hash.ts'

/** Interface of Swagger UI for a plugin. */
interface System {
  readonly React: {
    createElement(type: unknown, props: object | null, ...children: readonly unknown[]): unknown
    useState<T>(first: T): readonly [T, (next: T) => void]
    readonly Fragment: unknown
  }
}

interface LinkProps {
  readonly text: string
}

interface LiveResponseProps {
  readonly response?: { get(name: 'text'): unknown }
}

interface ResponseProps {
  readonly code: string
  readonly response: { get(name: 'description'): string }
}

type Show = (key: readonly string[], isShown?: boolean) => unknown

/**
 * Changes of Swagger UI: an answer that names a command links to it in the console, the path of a call
 * is text, because a button must not hold a link, an error is one line until a reader opens it, and a call
 * that is opened comes into the address.
 */
export function plugin(service: URL) {
  return () => ({
    statePlugins: {
      layout: {
        wrapActions: {
          show:
            (original: Show): Show =>
            (key, isShown = true) => {
              addressCall(key, isShown)
              return original(key, isShown)
            },
        },
      },
    },
    wrapComponents: {
      DeepLink:
        (_: unknown, { React }: System) =>
        (props: LinkProps) =>
          React.createElement('span', null, props.text),
      response:
        (original: unknown, { React }: System) =>
        (props: ResponseProps) => {
          const [isOpen, open] = React.useState(false)
          const answer = React.createElement(original, props)
          if (Number(props.code) < 400) return answer
          const button = React.createElement(
            'button',
            { type: 'button', 'aria-expanded': isOpen, onClick: () => open(!isOpen) },
            props.response.get('description'),
          )
          const row = React.createElement(
            'tr',
            { className: 'response error-answer' },
            React.createElement('td', { className: 'response-col_status' }, props.code),
            React.createElement('td', { className: 'response-col_description' }, button),
          )
          return React.createElement(React.Fragment, null, row, isOpen ? answer : null)
        },
      liveResponse:
        (original: unknown, { React }: System) =>
        (props: LiveResponseProps) => {
          const id = commandIn(props.response?.get('text'))
          if (id === null) return React.createElement(original, props)
          const href = new URL(`console/commands/${id}`, service).href
          const link = React.createElement(
            'a',
            { href, className: 'to-console' },
            'Show the command in the console',
          )
          return React.createElement(
            React.Fragment,
            null,
            React.createElement('p', null, link),
            React.createElement(original, props),
          )
        },
    },
  })
}

/** The id of the command that an answer names, if it names one. */
export function commandIn(answer: unknown): string | null {
  const [, id = null] = /^\{\s*"command_id":\s*"([\da-f-]{36})"/.exec(String(answer)) ?? []
  return id
}

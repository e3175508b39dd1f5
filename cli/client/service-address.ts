/** What is wrong with the base address of a service, as the rest of a sentence; null when nothing is. */
export function addressProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return null
  return `'${text}' is no address of a service: write ${exampleFor(text)}`
}

/** `localhost:8080` is a URL to a program, of the scheme `localhost`. */
function exampleFor(text: string): string {
  const guess = `http://${text}`
  const isHost = /^[\w.-]+(?::\d+)?(?:\/\S*)?$/.test(text) && URL.canParse(guess)
  return isHost
    ? `${guess}, or https in place of http`
    : 'https://HOST or http://HOST:PORT, with a port of 1 to 65535'
}

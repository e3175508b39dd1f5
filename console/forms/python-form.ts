import type { SentRequest } from './sent-request.ts'

/** Code for Python 3.10 or newer, by its standard library alone. */
export function asPython({ url, path, body }: SentRequest): string {
  return `# CLOUD_FFMPEG_API_KEY is in the environment: python3 run.py
import json, os, time, urllib.request

SERVICE = ${pythonText(url)}
HEADERS = {"Content-Type": "application/json", "X-API-KEY": os.environ["CLOUD_FFMPEG_API_KEY"]}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVICE + path, data, HEADERS)) as answer:
        return json.load(answer)


request = ${python(body, '')}

command_id = call(${pythonText(path)}, request)["command_id"]
while True:
    time.sleep(1)
    record = call(f"/v1/commands/{command_id}")
    if record["status"] in ("SUCCESS", "FAILED"):
        break
if record["status"] == "FAILED":
    raise SystemExit(f"{record['error_status']}: {record['error_message']}")
for alias, file in record["output_files"].items():
    print(alias, file["storage_url"])
`
}

/** A value of JSON as a literal of Python. */
function python(value: unknown, indent: string): string {
  const inner = `${indent}    `
  if (Array.isArray(value)) {
    return block(
      '[',
      ']',
      indent,
      value.map((one) => `${inner}${python(one, inner)}`),
    )
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([key, one]) => `${inner}${pythonText(key)}: ${python(one, inner)}`,
    )
    return block('{', '}', indent, pairs)
  }
  if (typeof value === 'string') return pythonText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

function block(open: string, close: string, indent: string, lines: readonly string[]): string {
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${line},\n`).join('')}${indent}${close}`
}

/** Python reads the escapes of JSON, whose strings have no line breaks. */
function pythonText(text: string): string {
  return JSON.stringify(text)
}

import { LIMITS } from '@kist/contract/limits';

/** Where the server is and how long to wait for it: `kist-config.json` beside index.html, which an operator edits without building. */
interface ServerConfig {
  /** Origin of the server, 'https://api.example.in'; '' is the page's own. */
  baseUrl: string;
  requestTimeoutMs: number;
}

const FILE = '/kist-config.json';
/** The last copy, so that no later visit waits for the file before its first request. */
const CACHE_KEY = 'server';
const DEFAULT: ServerConfig = { baseUrl: '', requestTimeoutMs: LIMITS.requestTimeoutMs };
const LONGEST_TIMEOUT_MS = 300_000;

/** An https page may not call an http server (the browser refuses it), and a path would change what X-EMM-Auth-Session is made from. */
const isUsable = (baseUrl: string) =>
  baseUrl === '' ||
  (URL.canParse(baseUrl) &&
    new URL(baseUrl).origin === baseUrl &&
    (baseUrl.startsWith('https:') || window.location.protocol === 'http:'));

/** @returns undefined when it is not a configuration, or not one that could work. */
function parse(text: string): ServerConfig | undefined {
  try {
    const { baseUrl = DEFAULT.baseUrl, requestTimeoutMs = DEFAULT.requestTimeoutMs } = JSON.parse(
      text,
    ) as Partial<ServerConfig>;
    const isInTime = requestTimeoutMs >= 1000 && requestTimeoutMs <= LONGEST_TIMEOUT_MS;
    return isUsable(baseUrl) && isInTime ? { baseUrl, requestTimeoutMs } : undefined;
  } catch {
    return undefined;
  }
}

let current: ServerConfig | undefined;
let asking: Promise<ServerConfig | undefined> | undefined;

/** @returns undefined when the file could not be had, or a captive portal's page came in its place: the next request asks again. */
async function ask(): Promise<ServerConfig | undefined> {
  try {
    const response = await fetch(FILE);
    if (!response.ok && response.status !== 404) return undefined;
    current = response.ok ? parse(await response.text()) : DEFAULT;
    if (current) localStorage.setItem(CACHE_KEY, JSON.stringify(current));
    else console.warn(`${FILE} is no usable configuration`);
    return current;
  } catch {
    return undefined;
  } finally {
    asking = undefined;
  }
}

/** @returns where to send a request. The first visit waits for the file; a later one goes by its last copy and looks for a newer one beside. */
export async function serverConfig(): Promise<ServerConfig> {
  if (current) return current;
  asking ??= ask();
  return parse(localStorage.getItem(CACHE_KEY) ?? '') ?? (await asking) ?? DEFAULT;
}

import type { FastifyRequest } from 'fastify';
import type { Language } from '@kist/contract/codes';
import { cleanMachineText } from '@kist/contract/text';
import type { Caller, ClientDevice } from './app-types.ts';
import { pickLanguage } from '#server/platform/translations.ts';

/** What a request says about itself, before anybody believed it. */
export const callerOf = (request: FastifyRequest, defaultOrgId: number): Caller =>
  new RequestCaller(request, defaultOrgId);

class RequestCaller implements Caller {
  orgId: number;
  language: Language;
  readonly ip: string;
  readonly requestId: string;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest, orgId: number) {
    this.#request = request;
    this.orgId = orgId;
    this.language = languageOf(request);
    this.ip = request.ip;
    this.requestId = request.id;
  }

  /** Only a sign-in keeps it. */
  get client(): ClientDevice {
    return clientOf(this.#request);
  }
}

/**
 * The language on the caller's screen wins (`x-language`, else the app's cookie), then the one the user keeps, then the
 * browser's preference.
 */
export function languageOf(request: FastifyRequest, userLanguage?: Language): Language {
  return pickLanguage(
    header(request, 'x-language'),
    cookieLanguage(request),
    userLanguage,
    header(request, 'accept-language'),
  );
}

/** i18next's language detector keeps the choice in the cookie `i18next`. */
export function cookieLanguage(request: FastifyRequest): string | undefined {
  return /(?:^|;\s*)i18next=([A-Za-z-]{2,10})/.exec(request.headers.cookie ?? '')?.[1];
}

function clientOf(request: FastifyRequest): ClientDevice {
  const browser = [header(request, 'x-browser-name'), header(request, 'x-browser-version')].filter(Boolean).join(' ');
  return {
    browser: printable(browser),
    platform: printable(header(request, 'x-device-platform')),
    device: printable(header(request, 'x-device-details') ?? header(request, 'x-device-type')),
  };
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Shown to people in their list of sessions: one short line of what can be seen. */
const printable = (text = ''): string => cleanMachineText(text, 120);

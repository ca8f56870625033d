/** Whom the local server answers: programs on this machine that bear the token. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { type VouchError, vouchError } from '../contract/errors.ts';
import { bearsToken } from './token.ts';

const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request is refused, or null. Another name in Host means a web page whose name was made to lead here (DNS
 * rebinding); Origin and Sec-Fetch-Site tell of a page of another site. `token` null: none is needed.
 */
export const refusal = (headers: IncomingHttpHeaders, token: string | null): VouchError | null => {
  const { host = '', origin, authorization } = headers;
  if (!ownHost.test(host)) return vouchError('foreign', { header: 'Host', given: host });
  const site = headers['sec-fetch-site'];
  if ((origin !== undefined && origin !== `http://${host}`) || site === 'cross-site' || site === 'same-site') {
    return vouchError('foreign', { header: 'Origin', given: origin ?? String(site) });
  }
  return token === null || bearsToken(authorization, token) ? null : vouchError('unauthorised', {});
};

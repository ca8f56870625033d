/** `vouch://app/`: the window's own page and nothing else, each file with the content security policy. */
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Protocol } from 'electron/main';
import { previewScheme } from '../main/contract/preview.ts';

export const appScheme = 'vouch';
export const appOrigin = `${appScheme}://app`;
export const appPage = `${appOrigin}/index.html`;

export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' ${previewScheme}:`,
  "font-src 'self'",
  `connect-src 'self' ${previewScheme}:`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.json': 'application/json',
};

const headers = (type: string) => ({
  'content-type': type,
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
});
const refuse = (status: number) => new Response(null, { status, headers: headers('text/plain') });

/** The file under `folder` that an address means; null when it means none of ours. */
export const fileFor = (folder: string, address: string): string | null => {
  const url = new URL(address);
  if (url.protocol !== `${appScheme}:` || url.host !== 'app') return null;
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = join(folder, path === '/' ? 'index.html' : path);
  return file.startsWith(folder + sep) && extname(file) in types ? file : null;
};

export const serveApp = (protocol: Protocol, folder: string): void => {
  protocol.handle(appScheme, async (request) => {
    const file = request.method === 'GET' ? fileFor(folder, request.url) : null;
    if (!file) return refuse(404);
    try {
      return new Response(await readFile(file), { headers: headers(types[extname(file)]!) });
    } catch {
      return refuse(404);
    }
  });
};

/** The address of a photo's preview: `photo://preview/<photoId>/<256|2048>`; nothing else is ever served there. */
export const previewScheme = 'photo';
export const previewSizes = [256, 2048] as const;
export type PreviewSize = (typeof previewSizes)[number];

export const previewUrl = (photoId: string, size: PreviewSize): string =>
  `${previewScheme}://preview/${photoId}/${size}`;

const pattern = /^photo:\/\/preview\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/(256|2048)$/;

/** null unless the address is exactly that of a preview. */
export const parsePreviewUrl = (url: string): Readonly<{ photoId: string; size: PreviewSize }> | null => {
  const match = pattern.exec(url);
  return match ? { photoId: match[1]!, size: Number(match[2]) as PreviewSize } : null;
};

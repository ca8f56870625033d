import type { SyntheticEvent } from 'react';
import { previewUrl } from '../../main/contract/preview.ts';

const hide = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
  currentTarget.style.visibility = 'hidden';
};

/** A photo in the film; its place stays empty where the file cannot be read. */
export const FilmFrame = ({ photoId }: Readonly<{ photoId: string }>) => (
  <img src={previewUrl(photoId, 256)} alt="" draggable={false} className="frame" onError={hide} />
);

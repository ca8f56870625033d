/** Who decides, as the audit trail names them. */
import { userInfo } from 'node:os';
import type { Settings } from '../contract/settings.ts';

/** The name in the settings, else that of the system's user. */
export const reviewerName = ({ review }: Settings): string => {
  if (review.reviewer !== '') return review.reviewer;
  try {
    return userInfo().username;
  } catch {
    // A process may run under a user that the system has no name for.
    return 'unknown';
  }
};

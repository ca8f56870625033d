import type { Handlers } from '../../main/contract/api.ts';
import type { AppInfo } from '../../main/contract/views.ts';
import type { Desk } from '../desk/desk.ts';

export const appHandlers = (desk: Desk, about: Pick<AppInfo, 'version' | 'locale'>): Handlers['app'] => ({
  info: async () => ({
    ...about,
    platform: process.platform as AppInfo['platform'],
    runtime: {
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
    },
    home: desk.core.home.root,
  }),
});

import type { Handlers } from '../../contract/api.ts';
import type { AppInfo } from '../../contract/views.ts';
import type { Desk } from '../app-service.ts';

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

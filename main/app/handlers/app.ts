import type { Handlers } from '../../contract/api.ts';
import type { AppInfo } from '../../contract/views.ts';
import type { AppService } from '../app-service.ts';

export const appHandlers = (service: AppService, about: Pick<AppInfo, 'version' | 'locale'>): Handlers['app'] => ({
  info: async () => ({
    ...about,
    platform: process.platform as AppInfo['platform'],
    runtime: {
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
    },
    home: service.core.home.root,
  }),
});

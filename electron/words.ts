/** The few words that the shell itself shows, outside the window's page: menu, tray and dialogs. */
import type { MenuCommand } from '../main/contract/menu.ts';
import type { ScreenName } from '../main/contract/screen-names.ts';
import type { Settings } from '../main/contract/settings.ts';

const english = {
  file: '&File',
  quit: 'Quit Vouch',
  edit: '&Edit',
  view: '&View',
  screens: {
    review: 'Review',
    library: 'Library',
    results: 'Results',
    statements: 'Statements',
    engine: 'Engine',
    settings: 'Settings',
  } satisfies Readonly<Record<ScreenName, string>>,
  commands: {
    add_folder: 'Add Folder…',
    scan: 'Scan All Folders',
    find: 'Find',
    inspector: 'Inspector',
    palette: 'Find a Command…',
    keys: 'Keyboard Keys',
  } satisfies Readonly<Record<MenuCommand, string>>,
  window: '&Window',
  help: '&Help',
  open: 'Open Vouch',
  pickFolders: 'Choose folders with photos',
  add: 'Add',
  pickSets: 'Choose statement sets',
  statementSets: 'Statement sets',
  idle: 'Vouch',
  progress: 'Vouch: {done} of {found} photos',
  failedTitle: 'Vouch cannot start',
  judgedOne: '1 photo: {wants}',
  judgedMany: '{count} photos: {wants}',
  wantNone: 'none wants review',
  wantOne: '1 wants review',
  wantMany: '{count} want review',
  setAside: '{count} could not be judged',
};
export type Words = Readonly<typeof english>;

const chinese: Words = {
  file: '文件(&F)',
  quit: '退出 Vouch',
  edit: '编辑(&E)',
  view: '视图(&V)',
  screens: { review: '复核', library: '图库', results: '结果', statements: '陈述', engine: '引擎', settings: '设置' },
  commands: {
    add_folder: '添加文件夹…',
    scan: '扫描所有文件夹',
    find: '查找',
    inspector: '检查器',
    palette: '查找命令…',
    keys: '键盘快捷键',
  },
  window: '窗口(&W)',
  help: '帮助(&H)',
  open: '打开 Vouch',
  pickFolders: '选择存放照片的文件夹',
  add: '添加',
  pickSets: '选择陈述集',
  statementSets: '陈述集',
  idle: 'Vouch',
  progress: 'Vouch：{found} 张照片中的第 {done} 张',
  failedTitle: 'Vouch 无法启动',
  judgedOne: '1 张照片：{wants}',
  judgedMany: '{count} 张照片：{wants}',
  wantNone: '无需复核',
  wantOne: '1 张待复核',
  wantMany: '{count} 张待复核',
  setAside: '{count} 个文件无法判定',
};

/** `locale`: what the system speaks, BCP 47. */
export const wordsFor = (language: Settings['language'], locale: string): Words => {
  const spoken = language === 'system' ? locale : language;
  return spoken.toLowerCase().startsWith('zh') ? chinese : english;
};

/** The application menu: commands for the window to carry out, and the roles that every app has. */
import { Menu, type MenuItemConstructorOptions } from 'electron/main';
import { acceleratorOf, type MenuCommand, menuCommands, type ShellCommand } from '../main/contract/menu.ts';
import { screens } from '../main/contract/screen-names.ts';
import type { Words } from './words.ts';

type MenuPorts = Readonly<{
  words: Words;
  command: (command: ShellCommand) => void;
  /** Developer tools are in the menu. */
  development: boolean;
}>;

const menuTemplate = ({ words, command, development }: MenuPorts): MenuItemConstructorOptions[] => {
  const mac = process.platform === 'darwin';
  /** The key is shown here and handled by the page, which knows whether a text field has the focus. */
  const item = (label: string, keys: string, wanted: ShellCommand): MenuItemConstructorOptions => ({
    label,
    accelerator: acceleratorOf(keys),
    registerAccelerator: false,
    click: () => command(wanted),
  });
  const asks = (kind: MenuCommand) => item(words.commands[kind], menuCommands[kind], { kind });
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: words.file,
      submenu: [
        asks('add_folder'),
        asks('scan'),
        ...(mac
          ? []
          : [{ type: 'separator' as const }, { role: 'quit' as const, label: words.quit, accelerator: 'CmdOrCtrl+Q' }]),
      ],
    },
    {
      label: words.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        { type: 'separator' },
        asks('find'),
      ],
    },
    {
      label: words.view,
      submenu: [
        ...screens.map(({ name, keys }) => item(words.screens[name], keys[0], { kind: 'show', screen: name })),
        { type: 'separator' },
        asks('inspector'),
        asks('palette'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(development ? [{ type: 'separator' as const }, { role: 'toggleDevTools' as const }] : []),
      ],
    },
    { role: 'windowMenu', label: words.window },
    { label: words.help, role: 'help', submenu: [asks('keys')] },
  ];
};

export const setMenu = (ports: MenuPorts): void => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(ports)));

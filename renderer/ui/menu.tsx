import { Ellipsis, type LucideIcon } from 'lucide-react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button, IconButton } from './button.tsx';

type MenuEntry = Readonly<{ id: string; text: string; icon?: LucideIcon; disabled?: boolean; run: () => void }>;
type Props = Readonly<{
  label: string;
  icon?: LucideIcon;
  /** The label stands on the button. */
  wide?: boolean;
  entries: readonly MenuEntry[];
}>;

export const Menu = ({ label, icon = Ellipsis, wide = false, entries }: Props) => (
  <MenuTrigger>
    {wide ? <Button icon={icon}>{label}</Button> : <IconButton label={label} icon={icon} />}
    <Popover className="popover" offset={4} placement="bottom end">
      <AriaMenu className="list" aria-label={label} disabledKeys={entries.filter((e) => e.disabled).map((e) => e.id)}>
        {entries.map(({ id, text, icon: Icon, run }) => (
          <MenuItem key={id} id={id} className="item" textValue={text} onAction={run}>
            {Icon && <Icon aria-hidden />}
            {text}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);

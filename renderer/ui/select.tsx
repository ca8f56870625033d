import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Select as AriaSelect,
  Button,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  SelectValue,
} from 'react-aria-components';

type Choice = Readonly<{ id: string; text: string; end?: ReactNode }>;
export type ChoiceGroup = Readonly<{ id: string; heading: string | null; choices: readonly Choice[] }>;
type Props = Readonly<{
  label: string;
  /** What the button says. */
  value: ReactNode;
  selected: string;
  groups: readonly ChoiceGroup[];
  onChange: (id: string) => void;
  active?: boolean;
}>;

const Item = ({ choice }: Readonly<{ choice: Choice }>) => (
  <ListBoxItem id={choice.id} textValue={choice.text} className="item">
    <Check className="tick" aria-hidden />
    <span className="clip">{choice.text}</span>
    {choice.end !== undefined && <span className="end num">{choice.end}</span>}
  </ListBoxItem>
);

/** A filter in a bar: a button that says what holds, and opens the choices. */
export const Select = ({ label, value, selected, groups, onChange, active = false }: Props) => (
  <AriaSelect aria-label={label} selectedKey={selected} onSelectionChange={(key) => onChange(String(key))}>
    <Button className="button" {...(active && { 'data-selected': true })}>
      <SelectValue className="clip value">{() => value}</SelectValue>
      <ChevronDown aria-hidden />
    </Button>
    <Popover className="popover" offset={4}>
      <ListBox className="list">
        {groups.map((group) =>
          group.heading === null ? (
            group.choices.map((choice) => <Item key={choice.id} choice={choice} />)
          ) : (
            <ListBoxSection key={group.id} id={group.id}>
              <Header className="heading">{group.heading}</Header>
              {group.choices.map((choice) => (
                <Item key={choice.id} choice={choice} />
              ))}
            </ListBoxSection>
          ),
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
);
